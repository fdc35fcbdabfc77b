package dev.muster.mesh;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Counts groups whose ranks are not all in one place. Places are numbered once: meshes have many groups.
final class Crossings {
    private final int[] hosts;
    private final int[] islands;
    private final int[] numaNodes;

    /// @param placed the device of each rank
    Crossings(List<MeshDevice> placed) {
        this.hosts = number(placed, MeshDevice::host);
        this.islands = number(placed, Islands::key);
        this.numaNodes = number(placed, MeshDevice::numaNode);
    }

    private static int[] number(List<MeshDevice> placed, Function<MeshDevice, Object> place) {
        Map<Object, Integer> numbers = new HashMap<>();
        int[] numbered = new int[placed.size()];
        for (int rank = 0; rank < numbered.length; rank++) {
            numbered[rank] = numbers.computeIfAbsent(place.apply(placed.get(rank)), _ -> numbers.size());
        }
        return numbered;
    }

    MeshPlacement.Crossing count(GroupFamily family) {
        int crossHosts = 0;
        int crossIslands = 0;
        int crossNumaNodes = 0;
        for (int i = 0; i < family.count(); i++) {
            RankSequence ranks = family.group(i).ranks();
            if (crosses(ranks, hosts)) {
                crossHosts++;
                crossIslands += crosses(ranks, islands) ? 1 : 0;
            } else {
                crossNumaNodes += crosses(ranks, numaNodes) ? 1 : 0;
            }
        }
        return new MeshPlacement.Crossing(family.label(), family.count(), crossHosts, crossIslands, crossNumaNodes);
    }

    private static boolean crosses(RankSequence ranks, int[] places) {
        int first = places[ranks.rank(0)];
        for (int i = 1; i < ranks.size(); i++) {
            if (places[ranks.rank(i)] != first) {
                return true;
            }
        }
        return false;
    }
}
