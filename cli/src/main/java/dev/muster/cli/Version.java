// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

/// The program's version. A test holds it to the version in the build file.
final class Version {
    static final String TEXT = "0.2.0";

    private Version() {}
}
