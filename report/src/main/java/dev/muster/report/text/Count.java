// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

/// Numbers of things, such as `1 device` and `2 devices`.
public final class Count {
    private Count() {}

    /// A number and the thing's name, with an `s` behind it where there is not exactly one.
    public static String of(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }
}
