package dev.muster.detect.intel;

import dev.muster.detect.text.Amount;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// What `xpu-smi topology -m` says: tiles, and how they are joined.
///
/// @param tiles the tiles, in the order of the table
/// @param bonds pairs of tiles, each pair once
record XpuSmiTopology(List<Tile> tiles, List<Bond> bonds) {
    XpuSmiTopology {
        tiles = List.copyOf(tiles);
        bonds = List.copyOf(bonds);
    }

    /// The GPUs, by the tool's numbers.
    Set<Long> gpus() {
        Set<Long> gpus = new TreeSet<>();
        tiles.forEach(tile -> gpus.add(tile.gpu()));
        return gpus;
    }

    /// Lanes of Xe Link that join two GPUs directly, over all of their tiles.
    long lanesBetween(long one, long other) {
        return bonds.stream()
                .filter(bond -> bond.from().gpu() == one && bond.to().gpu() == other)
                .mapToLong(Bond::xeLinkLanes)
                .sum();
    }

    /// A tile.
    ///
    /// @param gpu the tool's number of the GPU
    /// @param number the tile's number in the GPU
    /// @param cpus the processors next to it, such as `0-23,48-71`; blank where the table does not say
    record Tile(long gpu, long number, String cpus) {}

    /// How two tiles are joined.
    ///
    /// @param from the tile that stands first in the table
    /// @param to the other
    /// @param code the table's word: `MDF` within a GPU, `XL16` for 16 lanes of Xe Link, `XL*` for Xe Link over
    ///     a third tile, `SYS` and `NODE` for the way through the host
    record Bond(Tile from, Tile to, String code) {
        /// Lanes of Xe Link that join the two directly; 0 where there are none.
        long xeLinkLanes() {
            return code.startsWith("XL") ? Amount.count(code.substring(2), 1024).orElse(0L) : 0;
        }
    }
}
