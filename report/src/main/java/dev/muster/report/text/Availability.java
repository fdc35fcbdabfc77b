// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

/// The availability of a device: a word in text, a boolean in documents.
///
/// @param available true if it can be used
record Availability(boolean available) {
    String word() {
        return available ? "ok" : "unavailable";
    }

    @Override
    public String toString() {
        return Boolean.toString(available);
    }
}
