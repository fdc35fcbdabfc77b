// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.session;

/// The program's version. A test holds it to the version in the build file.
public final class Version {
    public static final String TEXT = "0.2.0";

    private Version() {}
}
