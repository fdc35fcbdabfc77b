package dev.muster.detect.nvidia;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// How GPUs are joined: the matrix of `nvidia-smi topo -m`, or the same from what NVML tells of each link.
///
/// @param rows a GPU or network card each
/// @param nics what the cards are called, by their label in the matrix
record NvidiaTopology(List<Row> rows, Map<String, String> nics) {
    /// No source said how the GPUs are joined.
    static final NvidiaTopology NOT_TOLD = new NvidiaTopology(List.of(), Map.of());

    private static final String GPU = "GPU";
    private static final String NVLINK = "NV";

    NvidiaTopology {
        rows = List.copyOf(rows);
        nics = Map.copyOf(nics);
    }

    /// The rows of GPUs.
    List<Row> gpus() {
        return rows.stream().filter(row -> row.gpu().isPresent()).toList();
    }

    /// The row with a label, such as `GPU0`.
    Optional<Row> find(String label) {
        return rows.stream().filter(row -> row.label().equals(label)).findFirst();
    }

    /// How many NVLinks join two GPUs; none where they are joined by something else.
    int lanes(long one, long other) {
        return find(GPU + one)
                .map(row -> lanes(row.words().getOrDefault(GPU + other, "")))
                .orElse(0);
    }

    private static int lanes(String word) {
        OptionalLong count = word.startsWith(NVLINK)
                ? NvidiaValue.wholeNumber(word.substring(NVLINK.length()))
                : OptionalLong.empty();
        return count.isPresent() && count.getAsLong() <= NvidiaNvlinkParser.MAX_LINKS ? (int) count.getAsLong() : 0;
    }

    /// One row.
    ///
    /// @param label such as `GPU0` or `NIC3`
    /// @param words how it reaches the others, by their labels: `X`, `NV12`, `PIX`, `PXB`, `PHB`, `NODE`, `SYS`
    /// @param cpus the processors near it, as the tool writes them; blank where it does not say
    /// @param numa the NUMA nodes near it, as the tool writes them; blank where it does not say
    /// @param ownNuma the NUMA node that its own memory is; blank where it does not say or has none
    record Row(String label, Map<String, String> words, String cpus, String numa, String ownNuma) {
        Row {
            words = Map.copyOf(words);
        }

        /// The GPU's number; none for a network card.
        OptionalInt gpu() {
            OptionalLong number = label.startsWith(GPU)
                    ? NvidiaValue.wholeNumber(label.substring(GPU.length()))
                    : OptionalLong.empty();
            return number.isPresent() && number.getAsLong() <= NvidiaSmiLog.MAX_GPUS
                    ? OptionalInt.of((int) number.getAsLong())
                    : OptionalInt.empty();
        }
    }
}
