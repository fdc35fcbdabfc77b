package dev.muster.detect.intel;

import dev.muster.detect.intel.XpuSmiTopology.Bond;
import dev.muster.detect.intel.XpuSmiTopology.Tile;
import dev.muster.detect.text.Amount;
import dev.muster.detect.tool.ToolRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads the matrix of `xpu-smi topology -m`: columns and rows named `GPU 0/1` (GPU and tile), with bars between.
final class XpuSmiTopologyParser {
    private static final int MAX_TILES = 256;
    private static final String GPU = "GPU ";

    private XpuSmiTopologyParser() {}

    /// The topology; nothing if this is no such matrix or rows and columns do not agree.
    static Optional<XpuSmiTopology> parse(String text) {
        List<String[]> rows = new ArrayList<>();
        int columns = 0;
        for (String line : text.split("\n")) {
            String[] cells = line.strip().split("\\|");
            if (columns == 0) {
                columns = line.contains("CPU Affinity") ? countTiles(cells) : 0;
            } else if (cells.length > 0 && findTile(cells[0], "").isPresent() && rows.size() < MAX_TILES) {
                rows.add(cells);
            }
        }
        return columns > 0 && rows.size() == columns ? topology(rows) : Optional.empty();
    }

    private static int countTiles(String[] header) {
        int count = 0;
        for (String cell : header) {
            count += findTile(cell, "").isPresent() ? 1 : 0;
        }
        return Math.min(count, MAX_TILES);
    }

    private static Optional<XpuSmiTopology> topology(List<String[]> rows) {
        List<Tile> tiles = new ArrayList<>();
        for (String[] row : rows) {
            if (row.length <= rows.size()) {
                return Optional.empty();
            }
            String cpus = row.length > rows.size() + 1 ? row[rows.size() + 1].strip() : "";
            findTile(row[0], cpus).ifPresent(tiles::add);
        }
        List<Bond> bonds = new ArrayList<>();
        for (int i = 0; i < tiles.size(); i++) {
            for (int j = i + 1; j < tiles.size(); j++) {
                bonds.add(new Bond(tiles.get(i), tiles.get(j), rows.get(i)[j + 1].strip()));
            }
        }
        return Optional.of(new XpuSmiTopology(tiles, bonds));
    }

    private static Optional<Tile> findTile(String cell, String cpus) {
        String name = cell.strip();
        int slash = name.indexOf('/');
        if (!name.startsWith(GPU) || slash < 0) {
            return Optional.empty();
        }
        Optional<Long> gpu = Amount.count(name.substring(GPU.length(), slash), ToolRow.MAX_NUMBER);
        Optional<Long> tile = Amount.count(name.substring(slash + 1), ToolRow.MAX_NUMBER);
        return gpu.flatMap(number -> tile.map(part -> new Tile(number, part, cpus)));
    }
}
