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

    /// Returns the path from one GPU to another over the bus and the processors; blank if unknown.
    String word(long one, long other) {
        return path(one, other).word();
    }

    /// Returns the number of NVLinks between two GPUs; none if they are joined otherwise.
    int lanes(long one, long other) {
        return path(one, other).lanes();
    }

    private Path path(long one, long other) {
        return find(GPU + one)
                .map(row -> row.paths().getOrDefault(GPU + other, Path.UNKNOWN))
                .orElse(Path.UNKNOWN);
    }

    /// The path between two devices.
    ///
    /// @param word the tool's word for it without NVLinks: `X`, `PIX`, `PXB`, `PHB`, `NODE`, `SYS`; blank
    ///     over NVLinks
    /// @param lanes NVLinks between both; 0 for none
    record Path(String word, int lanes) {
        static final Path UNKNOWN = new Path("", 0);

        /// Returns the path that a word of the tool stands for, such as `PIX` or `NV12`.
        static Path of(String word) {
            return word.startsWith(NVLINK)
                    ? nvlinks(Amount.count(word.substring(NVLINK.length()), NvidiaNvlinkParser.MAX_LINKS)
                            .orElse(0L)
                            .intValue())
                    : new Path(word, 0);
        }

        static Path nvlinks(int lanes) {
            return new Path("", lanes);
        }
    }

    /// One row.
    ///
    /// @param label such as `GPU0` or `NIC3`
    /// @param paths the paths to the others, by their labels
    /// @param numa the NUMA nodes near it, as the tool writes them; blank where it does not say
    record Row(String label, Map<String, Path> paths, String numa) {
        Row {
            paths = Map.copyOf(paths);
        }
    }
}
