package dev.muster.detect.nvidia;

import java.util.List;
import java.util.Optional;

/// What `nvidia-smi --query-gpu` says.
///
/// @param rows a GPU each
/// @param faults what was wrong with the lines that are no rows
record NvidiaQuery(List<NvidiaQueryRow> rows, List<String> faults) {
    NvidiaQuery {
        rows = List.copyOf(rows);
        faults = List.copyOf(faults);
    }

    /// The row of a GPU.
    Optional<NvidiaQueryRow> find(long index) {
        return rows.stream().filter(row -> row.index() == index).findFirst();
    }
}
