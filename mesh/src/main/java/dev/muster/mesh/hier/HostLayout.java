// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.hier;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// The members of a group that share a host, as one of them sees it. Hosts are numbered in the order of
/// their first members, which lead them. Ranks are those within the group. Immutable; arrays are not to
/// be changed.
public final class HostLayout {
    private final int rank;
    private final int[] hostOf;
    private final int[][] members;
    private final int[] leaders;
    private final boolean contiguous;

    private HostLayout(int rank, int[] hostOf, int[][] members) {
        this.rank = rank;
        this.hostOf = hostOf;
        this.members = members;
        this.leaders =
                IntStream.range(0, members.length).map(host -> members[host][0]).toArray();
        this.contiguous = IntStream.range(1, hostOf.length).allMatch(member -> hostOf[member] >= hostOf[member - 1]);
    }

    /// A layout.
    ///
    /// @param rank the member that sees it
    /// @param hosts the host of each member
    public static HostLayout of(int rank, List<String> hosts) {
        Map<String, List<Integer>> byHost = new LinkedHashMap<>();
        int[] hostOf = new int[hosts.size()];
        for (int member = 0; member < hostOf.length; member++) {
            byHost.computeIfAbsent(hosts.get(member), absent -> new ArrayList<>())
                    .add(member);
        }
        int[][] members = byHost.values().stream()
                .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
        for (int host = 0; host < members.length; host++) {
            for (int member : members[host]) {
                hostOf[member] = host;
            }
        }
        return new HostLayout(rank, hostOf, members);
    }

    /// Returns the number of members of the group.
    int ranks() {
        return hostOf.length;
    }

    /// The member that sees the layout.
    int rank() {
        return rank;
    }

    /// Returns the number of hosts.
    public int hosts() {
        return members.length;
    }

    /// The number of this member's host.
    public int ownHost() {
        return hostOf[rank];
    }

    /// The members of this member's host, itself included.
    public int[] neighbours() {
        return members[ownHost()];
    }

    /// The first member of each host.
    public int[] leaders() {
        return leaders;
    }

    /// Reports whether this member is the first of its host.
    public boolean isLeader() {
        return neighbours()[0] == rank;
    }

    /// The host of a member.
    int hostOf(int member) {
        return hostOf[member];
    }

    /// Returns the index of this member among those of its host.
    int placeOf(int member) {
        int[] own = members[hostOf[member]];
        int place = 0;
        while (own[place] != member) {
            place++;
        }
        return place;
    }

    /// Reports whether the members of each host follow each other, so that what they have lies together in a
    /// gathered buffer.
    boolean isContiguous() {
        return contiguous;
    }

    /// The first rank of each host and the number of all; of contiguous hosts.
    int[] hostBounds() {
        return IntStream.concat(IntStream.of(leaders), IntStream.of(hostOf.length))
                .toArray();
    }

    /// The ranks of this host's members and the one after the last; of contiguous hosts.
    int[] memberBounds() {
        int[] own = neighbours();
        return IntStream.rangeClosed(own[0], own[0] + own.length).toArray();
    }
}
