// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.report.text.Quantity;

/// A bar of a device's memory: a letter for each part, dots for free memory, and the share behind. Confined to one
/// thread.
final class MemoryBar {

    private final StringBuilder letters = new StringBuilder();
    private final int width;
    private final double capacity;
    /// The scale of the bar: the device, or all parts if they are more.
    private final double whole;

    private double bytes;

    /// Creates an empty bar.
    ///
    /// @param total sum of all parts
    MemoryBar(int width, double total, double capacity) {
        this.width = width;
        this.capacity = capacity;
        this.whole = Math.max(total, capacity);
    }

    /// Adds a part. Ends are rounded rather than lengths, so that small parts do not add up to a wrong length.
    MemoryBar part(char letter, double more) {
        bytes += more;
        int end = (int) Math.min(width, Math.round(width * bytes / whole));
        letters.repeat(letter, Math.max(0, end - letters.length()));
        return this;
    }

    @Override
    public String toString() {
        return "[" + letters + ".".repeat(width - letters.length()) + "] " + Quantity.percent(bytes / capacity, 0);
    }
}
