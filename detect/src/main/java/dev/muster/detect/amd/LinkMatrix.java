// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A square table that `rocm-smi --showtopo` and `amd-smi topology` print under a title: a line of labels, then a line
/// for each GPU that starts with its label. Several such tables stand in one output.
///
/// @param labels the GPUs, such as `GPU0` or a PCI address
/// @param rows the cells of each GPU's row, in the order of the labels
record LinkMatrix(List<String> labels, List<List<String>> rows) {
    private static final int MAX_GPUS = 1024;

    /// No table.
    static final LinkMatrix EMPTY = new LinkMatrix(List.of(), List.of());

    LinkMatrix {
        labels = List.copyOf(labels);
        rows = List.copyOf(rows);
    }

    /// The first table whose title contains some words; empty where there is none, or where it is not square.
    static LinkMatrix parse(String text, String title) {
        String wanted = title.toLowerCase(Locale.ROOT);
        List<String> labels = List.of();
        List<List<String>> rows = new ArrayList<>();
        boolean inside = false;
        for (String line : text.split("\n")) {
            List<String> words = words(line);
            if (!inside) {
                inside = line.toLowerCase(Locale.ROOT).contains(wanted);
            } else if (labels.isEmpty()) {
                labels = words.size() > MAX_GPUS ? List.of() : words;
            } else if (rows.size() < labels.size()
                    && words.size() == labels.size() + 1
                    && words.getFirst().equals(labels.get(rows.size()))) {
                rows.add(words.subList(1, words.size()));
            } else {
                break;
            }
        }
        return rows.size() == labels.size() ? new LinkMatrix(labels, rows) : LinkMatrix.EMPTY;
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        for (String word : line.strip().split("[ \t]+")) {
            if (!word.isEmpty()) {
                words.add(word);
            }
        }
        return words;
    }

    int size() {
        return labels.size();
    }

    /// An entry of the table: the link of two GPUs.
    String cell(int row, int column) {
        return rows.get(row).get(column);
    }
}
