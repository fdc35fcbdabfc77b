// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.report.text.Quantity;

/// How full a device is: a letter for each part, dots for what is free, and the share behind. Confined to one thread.
final class MemoryBar {

    private final StringBuilder letters = new StringBuilder();
    private final int width;
    private final double capacity;
    /// What the whole bar stands for: the device, or all parts where they are more.
    private final double whole;

    private double bytes;

    /// An empty bar.
    ///
    /// @param total what all parts take together
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
