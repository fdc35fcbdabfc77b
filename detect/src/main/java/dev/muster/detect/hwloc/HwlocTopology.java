package dev.muster.detect.hwloc;

import java.util.List;

/// What a file of hwloc holds, as far as it matters here.
///
/// @param version the first number of the format's version: 2 or 3
/// @param machine the root of the tree
/// @param matrices the bandwidths between devices
record HwlocTopology(int version, HwlocObject machine, List<HwlocMatrix> matrices) {
    HwlocTopology {
        matrices = List.copyOf(matrices);
    }
}
