// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

/// Counts of items, such as `1 device` and `2 devices`.
public final class Count {
    private Count() {}

    /// Returns a number and the item's name, with an `s` behind it unless there is exactly one.
    public static String of(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }
}
