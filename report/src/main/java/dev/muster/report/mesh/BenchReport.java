// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.mesh;

import dev.muster.mesh.bench.BenchFigures;
import dev.muster.mesh.collective.DType;
import java.util.List;

/// Measured figures of all backends. Immutable.
///
/// @param ranks number of ranks
/// @param processors number of processors that they shared
/// @param type type of the elements
/// @param rows figures in the order of measuring
public record BenchReport(int ranks, int processors, DType type, List<Row> rows) {
    /// Figures of a backend.
    ///
    /// @param backend backend, such as `shm`
    public record Row(String backend, BenchFigures figures) {}

    public BenchReport {
        rows = List.copyOf(rows);
    }

    /// Reports whether every element was correct.
    public boolean isRight() {
        return rows.stream().allMatch(row -> row.figures().wrong() == 0);
    }
}
