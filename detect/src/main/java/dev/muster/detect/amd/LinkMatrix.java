package dev.muster.detect.amd;

import java.util.List;

/// A table of tools that says something of each pair of GPUs.
///
/// @param labels the GPUs, such as `GPU0` or a PCI address
/// @param rows the cells of each GPU's row, in the order of the labels
record LinkMatrix(List<String> labels, List<List<String>> rows) {
    /// No table.
    static final LinkMatrix EMPTY = new LinkMatrix(List.of(), List.of());

    LinkMatrix {
        labels = List.copyOf(labels);
        rows = List.copyOf(rows);
    }

    int size() {
        return labels.size();
    }

    /// What the table says of two GPUs.
    String cell(int row, int column) {
        return rows.get(row).get(column);
    }
}
