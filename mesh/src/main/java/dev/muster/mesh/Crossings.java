package dev.muster.mesh;

import java.util.List;
import java.util.function.Function;

/// Counts groups whose ranks are not all in one place.
final class Crossings {
    private Crossings() {}

    static MeshPlacement.Crossing count(GroupFamily family, List<MeshDevice> placed) {
        int hosts = 0;
        int islands = 0;
        int numaNodes = 0;
        for (int i = 0; i < family.count(); i++) {
            RankSequence ranks = family.group(i).ranks();
            boolean crossesHosts = crosses(ranks, placed, MeshDevice::host);
            hosts += crossesHosts ? 1 : 0;
            islands += crosses(ranks, placed, Islands::key) && crossesHosts ? 1 : 0;
            numaNodes += !crossesHosts && crosses(ranks, placed, MeshDevice::numaNode) ? 1 : 0;
        }
        return new MeshPlacement.Crossing(family.label(), family.count(), hosts, islands, numaNodes);
    }

    private static boolean crosses(RankSequence ranks, List<MeshDevice> placed, Function<MeshDevice, Object> place) {
        Object first = place.apply(placed.get(ranks.rank(0)));
        for (int i = 1; i < ranks.size(); i++) {
            if (!first.equals(place.apply(placed.get(ranks.rank(i))))) {
                return true;
            }
        }
        return false;
    }
}
