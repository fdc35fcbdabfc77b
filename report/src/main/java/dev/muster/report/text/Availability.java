// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

/// Whether a device can be used now: a word for people, a truth for machines.
///
/// @param available whether it can
record Availability(boolean available) {
    String word() {
        return available ? "ok" : "unavailable";
    }

    @Override
    public String toString() {
        return Boolean.toString(available);
    }
}
