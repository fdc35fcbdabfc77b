// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.detect.text.Amount;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The links between GPUs: the matrix of `nvidia-smi topo -m`, or the same from NVML's answers for each link.
///
/// @param rows a GPU or network card each
record NvidiaTopology(List<Row> rows) {
    /// No source said how the GPUs are joined.
    static final NvidiaTopology UNKNOWN = new NvidiaTopology(List.of());

    private static final String GPU = "GPU";
    private static final String NVLINK = "NV";

    NvidiaTopology {
        rows = List.copyOf(rows);
    }

    /// The row with a label, such as `GPU0`.
    Optional<Row> find(String label) {
        return rows.stream().filter(row -> row.label().equals(label)).findFirst();
    }

    /// Returns the path from one GPU to another; blank if unknown.
    String word(long one, long other) {
        return find(GPU + one)
                .map(row -> row.words().getOrDefault(GPU + other, ""))
                .orElse("");
    }

    /// Returns the number of NVLinks between two GPUs; none if they are joined otherwise.
    int lanes(long one, long other) {
        return Optional.of(word(one, other))
                .filter(word -> word.startsWith(NVLINK))
                .flatMap(word -> Amount.count(word.substring(NVLINK.length()), NvidiaNvlinkParser.MAX_LINKS))
                .orElse(0L)
                .intValue();
    }

    /// One row.
    ///
    /// @param label such as `GPU0` or `NIC3`
    /// @param words the paths to the others, by their labels: `X`, `NV12`, `PIX`, `PXB`, `PHB`, `NODE`, `SYS`
    /// @param numa the NUMA nodes near it, as the tool writes them; blank where it does not say
    record Row(String label, Map<String, String> words, String numa) {
        Row {
            words = Map.copyOf(words);
        }
    }
}
