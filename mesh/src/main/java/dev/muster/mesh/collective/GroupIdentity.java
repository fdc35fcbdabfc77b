// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// The name of a group, its members, and the one that this process is. Immutable.
///
/// @since 0.1
public final class GroupIdentity {
    private final String name;
    private final String key;
    private final int[] worldRanks;
    private final int rank;
    private final long incarnation;

    private GroupIdentity(String name, String key, int[] worldRanks, int rank, long incarnation) {
        this.name = name;
        this.key = key;
        this.worldRanks = worldRanks;
        this.rank = rank;
        this.incarnation = incarnation;
    }

    /// A group.
    ///
    /// @param name unique within the mesh
    /// @param worldRanks its members, in the order of their ranks within the group
    /// @param worldRank this process
    /// @param incarnation incarnation of the mesh that it belongs to
    public static GroupIdentity of(String name, int[] worldRanks, int worldRank, long incarnation) {
        int rank = IntStream.range(0, worldRanks.length)
                .filter(index -> worldRanks[index] == worldRank)
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("rank " + worldRank + " is not a member of group " + name));
        requireDistinct(name, worldRanks);
        return new GroupIdentity(name, name, worldRanks.clone(), rank, incarnation);
    }

    /// Sorts a copy: a group may have a million members, and a set of them would take many times the
    /// room.
    private static void requireDistinct(String name, int[] worldRanks) {
        int[] sorted = worldRanks.clone();
        Arrays.sort(sorted);
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] == sorted[i - 1]) {
                throw new IllegalArgumentException("group " + name + " has rank " + sorted[i] + " twice");
            }
        }
    }

    /// A group of all ranks.
    public static GroupIdentity world(int size, int rank, long incarnation) {
        return of("world", IntStream.range(0, size).toArray(), rank, incarnation);
    }

    /// Some members of this group, this process among them, that an engine joins for a part of the work.
    /// For people it is the same group.
    ///
    /// @param label tells the part from others of the group
    /// @param members their ranks within this group
    public GroupIdentity part(String label, int[] members) {
        int[] ranks = Arrays.stream(members).map(this::worldRank).toArray();
        GroupIdentity part = of(name, ranks, worldRank(rank), incarnation);
        return new GroupIdentity(name, key + "#" + label, ranks, part.rank, incarnation);
    }

    /// Returns the name of the group, or of a part of one, that differs from all others of the mesh: the name in stores
    /// and handshakes.
    public String key() {
        return key;
    }

    /// The name of the group.
    public String name() {
        return name;
    }

    /// Returns the place of a failure, for people: the group, the operation that it called, and the number of the call.
    public String where(GroupCall call) {
        return "group " + name + ": " + call.text() + " #" + call.sequence();
    }

    /// Returns the number of members in it.
    public int size() {
        return worldRanks.length;
    }

    /// The rank of this process within the group.
    public int rank() {
        return rank;
    }

    /// Returns the incarnation of the mesh that it belongs to.
    public long incarnation() {
        return incarnation;
    }

    /// The rank within the world of a member.
    public int worldRank(int member) {
        return worldRanks[member];
    }

    /// The members' ranks within the world, in the order of the group.
    public List<Integer> worldRanks() {
        return Arrays.stream(worldRanks).boxed().toList();
    }
}
