package dev.muster.detect.hwloc;

import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.List;

/// Collects a matrix, which hwloc writes in pieces of a few numbers. Confined to one thread.
final class HwlocMatrixText {
    /// Accelerators and switches of the largest machines are a few dozen.
    private static final int MAX_ENDS = 512;
    /// In MB/s: a petabyte each second, so that sums stay far from overflowing.
    private static final long MAX_VALUE = 1_000_000_000;

    private final String name;
    private final int size;
    private final List<Long> ends = new ArrayList<>();
    private final List<Long> values = new ArrayList<>();

    HwlocMatrixText(String name, String size) throws HwlocFormatException {
        this.name = name;
        this.size = Amount.count(size, MAX_ENDS)
                .orElseThrow(() -> error("does not have 0 to " + MAX_ENDS + " objects"))
                .intValue();
    }

    /// Adds objects: `802 803`, or with their types `OSDev:802 PCIDev:449`.
    void addEnds(String words) throws HwlocFormatException {
        for (String word : words.strip().split("\\s+")) {
            if (!word.isEmpty()) {
                add(ends, size, word.substring(word.indexOf(':') + 1), Long.MAX_VALUE);
            }
        }
    }

    /// Adds figures, row by row.
    void addValues(String words) throws HwlocFormatException {
        for (String word : words.strip().split("\\s+")) {
            if (!word.isEmpty()) {
                add(values, size * size, word, MAX_VALUE);
            }
        }
    }

    private void add(List<Long> list, int limit, String word, long max) throws HwlocFormatException {
        if (list.size() == limit) {
            throw error("has more numbers than fit it");
        }
        list.add(Amount.count(word, max).orElseThrow(() -> error("holds something that is no number")));
    }

    HwlocMatrix toMatrix() throws HwlocFormatException {
        if (ends.size() != size || values.size() != size * size) {
            throw error("has fewer numbers than it says");
        }
        return new HwlocMatrix(name, ends, values);
    }

    private HwlocFormatException error(String what) {
        return new HwlocFormatException("the matrix " + name + " " + what);
    }
}
