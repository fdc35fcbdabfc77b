// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.intel;

import dev.muster.detect.text.Amount;
import dev.muster.detect.tool.ToolRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The Xe Links in `xpu-smi topology -m`: a matrix whose columns and rows are named `GPU 0/1` (GPU and tile),
/// with bars between. Its words are `MDF` within a GPU, `XL16` for 16 lanes of Xe Link, `XL*` for Xe Link over a third
/// tile, `SYS` and `NODE` for the way through the host.
///
/// @param links pairs of tiles that Xe Link joins directly, each pair once
record XpuSmiTopology(List<XeLink> links) {
    private static final int MAX_TILES = 256;
    private static final long MAX_LANES = 1024;
    private static final String GPU = "GPU ";

    XpuSmiTopology {
        links = List.copyOf(links);
    }

    /// @param from the GPU of the tile that stands first in the table, by the tool's number
    /// @param to the other's
    record XeLink(long from, long to, long lanes) {}

    /// Returns the topology; nothing if this is not such a matrix or rows and columns do not agree.
    static Optional<XpuSmiTopology> parse(String text) {
        List<String[]> rows = new ArrayList<>();
        int columns = 0;
        for (String line : text.split("\n")) {
            String[] cells = line.strip().split("\\|");
            if (columns == 0) {
                columns = line.contains("CPU Affinity") ? countTiles(cells) : 0;
            } else if (cells.length > 0 && findGpu(cells[0]).isPresent() && rows.size() < MAX_TILES) {
                rows.add(cells);
            }
        }
        boolean isWhole = columns > 0 && rows.size() == columns;
        for (String[] row : rows) {
            isWhole = isWhole && row.length > rows.size();
        }
        return isWhole ? Optional.of(new XpuSmiTopology(links(rows))) : Optional.empty();
    }

    private static int countTiles(String[] header) {
        int count = 0;
        for (String cell : header) {
            count += findGpu(cell).isPresent() ? 1 : 0;
        }
        return Math.min(count, MAX_TILES);
    }

    private static List<XeLink> links(List<String[]> rows) {
        List<XeLink> links = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            long from = findGpu(rows.get(i)[0]).orElseThrow();
            for (int j = i + 1; j < rows.size(); j++) {
                long to = findGpu(rows.get(j)[0]).orElseThrow();
                Amount.numbered(rows.get(i)[j + 1].strip(), "XL", MAX_LANES)
                        .ifPresent(lanes -> links.add(new XeLink(from, to, lanes)));
            }
        }
        return links;
    }

    /// The GPU of a tile such as `GPU 0/1`.
    private static Optional<Long> findGpu(String cell) {
        String name = cell.strip();
        int slash = name.indexOf('/');
        return slash < 0
                        || Amount.count(name.substring(slash + 1), ToolRow.MAX_NUMBER)
                                .isEmpty()
                ? Optional.empty()
                : Amount.numbered(name.substring(0, slash), GPU, ToolRow.MAX_NUMBER);
    }

    /// Lanes of Xe Link that join two GPUs directly, over all of their tiles.
    long lanesBetween(long one, long other) {
        return links.stream()
                .filter(link -> link.from() == one && link.to() == other)
                .mapToLong(XeLink::lanes)
                .sum();
    }
}
