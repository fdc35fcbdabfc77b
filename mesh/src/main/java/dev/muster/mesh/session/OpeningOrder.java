// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The groups that ranks open, and the order in which they do: who means other ranks by a name, or waits at one group
/// for a rank that waits at another, is told before anything goes between them. Confined to the thread that opens
/// groups.
final class OpeningOrder {
    private static final String NOW = "opening/";
    private static final int LOOKS = 5;
    private static final int MOST_MEMBERS = 64;
    /// Longer lists are cut where people read them.
    private static final int MOST_SHOWN = 32;

    private final Store store;
    private final int rank;
    private final Set<String> begun = new HashSet<>();
    private String current = "";
    private int looks;

    /// @param store keys of this incarnation
    OpeningOrder(Store store, int rank) {
        this.store = store;
        this.rank = rank;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// This rank begins to open a group, or to agree on a plan. All members compare the ranks that they mean with those
    /// that the first to come means.
    ///
    /// @param place the group or the plan, for people
    void begin(GroupIdentity group, String place) {
        begun.add(place);
        current = place;
        looks = 0;
        String ranks = group.worldRanks().stream().map(String::valueOf).collect(Collectors.joining(","));
        store.set(NOW + rank, bytes(place + "\n" + ranks));
        String key = "ranks/" + place;
        if (!store.setIfAbsent(key, bytes(rank + "\n" + ranks))) {
            String[] first = text(store.find(key).orElseThrow()).split("\n", 2);
            if (!first[1].equals(ranks)) {
                throw new GroupException(
                        GroupError.DISAGREEMENT,
                        "group " + group.name() + ": rank " + rank + " opens it with ranks " + shown(ranks) + ", rank "
                                + first[0] + " with ranks " + shown(first[1])
                                + "; pass the same ranks in the same order");
            }
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String shown(String ranks) {
        List<String> all = Arrays.asList(ranks.split(","));
        return all.size() <= MOST_SHOWN
                ? all.toString()
                : all.subList(0, MOST_SHOWN) + " and " + (all.size() - MOST_SHOWN) + " more";
    }

    /// Looks now and then for a member that waits where this rank has not come yet: neither would ever come to the
    /// other.
    ///
    /// @param topic of the exchange at which this rank waits for members of a group
    void require(GroupIdentity group, String topic) {
        if (++looks % LOOKS != 0 || group.size() > MOST_MEMBERS) {
            return;
        }
        for (int member = 0; member < group.size(); member++) {
            int other = group.worldRank(member);
            String[] now =
                    store.find(NOW + other).map(OpeningOrder::text).orElse("\n").split("\n", 2);
            boolean awaitsThis =
                    !begun.contains(now[0]) && Arrays.asList(now[1].split(",")).contains(String.valueOf(rank));
            // A member that has come says so before it goes on to the next.
            if (awaitsThis && store.find(GroupOpener.key(group, topic, member)).isEmpty()) {
                throw new GroupException(
                        GroupError.DISAGREEMENT,
                        "rank " + rank + " opens " + current + " and rank " + other + " opens " + now[0]
                                + ", each before the other; open groups in the same order on all ranks");
            }
        }
    }
}
