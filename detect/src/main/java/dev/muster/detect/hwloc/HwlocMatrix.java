// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.List;

/// A square of figures between objects, which hwloc writes in pieces of a few numbers. Confined to one thread.
final class HwlocMatrix {
    /// Accelerators and switches of the largest machines are a few dozen.
    private static final int MAX_ENDS = 512;
    /// In MB/s: a petabyte each second, so that sums stay far from overflowing.
    private static final long MAX_VALUE = 1_000_000_000;

    private final HwlocFabric.Kind kind;
    private final int size;
    private final List<Long> ends = new ArrayList<>();
    private final List<Long> values = new ArrayList<>();

    HwlocMatrix(HwlocFabric.Kind kind, String size) {
        this.kind = kind;
        this.size = Amount.count(size, MAX_ENDS)
                .orElseThrow(() -> error("does not have 0 to " + MAX_ENDS + " objects"))
                .intValue();
    }

    /// The quantity of the figures.
    HwlocFabric.Kind kind() {
        return kind;
    }

    /// The objects by their global index, in the order of rows and columns.
    List<Long> ends() {
        return ends;
    }

    long value(int row, int column) {
        return values.get(row * size + column);
    }

    /// Adds objects: `802 803`, or with their types `OSDev:802 PCIDev:449`.
    void addEnds(String words) {
        for (String word : words.strip().split("\\s+")) {
            add(ends, size, word.substring(word.indexOf(':') + 1), Long.MAX_VALUE);
        }
    }

    /// Adds figures, row by row.
    void addValues(String words) {
        for (String word : words.strip().split("\\s+")) {
            add(values, size * size, word, MAX_VALUE);
        }
    }

    private void add(List<Long> list, int limit, String word, long max) {
        if (word.isEmpty()) {
            return;
        }
        if (list.size() == limit) {
            throw error("has more numbers than fit it");
        }
        list.add(Amount.count(word, max).orElseThrow(() -> error("holds something that is not a number")));
    }

    HwlocMatrix requireComplete() {
        if (ends.size() != size || values.size() != size * size) {
            throw error("has fewer numbers than it states");
        }
        return this;
    }

    private HwlocFormatException error(String what) {
        return new HwlocFormatException("the matrix " + kind.matrix() + " " + what);
    }
}
