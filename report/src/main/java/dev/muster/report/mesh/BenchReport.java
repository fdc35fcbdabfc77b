// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.mesh;

import dev.muster.mesh.bench.BenchFigures;
import dev.muster.mesh.collective.DType;
import java.util.List;

/// What was measured, over all backends. Immutable.
///
/// @param ranks how many took part
/// @param processors how many they shared
/// @param type of the elements
/// @param rows in the order of measuring
public record BenchReport(int ranks, int processors, DType type, List<Row> rows) {
    /// Figures of a backend.
    ///
    /// @param backend such as `shm`
    public record Row(String backend, BenchFigures figures) {}

    /// Copies the rows.
    public BenchReport {
        rows = List.copyOf(rows);
    }

    /// Whether every element was right.
    public boolean isRight() {
        return rows.stream().allMatch(row -> row.figures().wrong() == 0);
    }
}
