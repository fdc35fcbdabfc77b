// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.fake;

import dev.muster.mesh.DeviceMesh;
import dev.muster.mesh.MeshGroup;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.ProcessGroup;
import java.util.HashMap;
import java.util.Map;

/// This process as any rank of a planned mesh of any size, alone. Its groups take the same calls as
/// those of a running mesh, check the same arguments and send nothing: every rank holds what this one
/// holds and does what this one does. What follows from that, operation by operation:
///
/// - all-reduce, reduce, reduce-scatter: as many copies of this rank's elements as there are ranks,
///   reduced one after the other by the rules of type and operator. Integers wrap, halves are rounded
///   once, sums of floats are rounded at each rank; the least, the greatest and the average are the
///   element itself. A reduction for another root gives nothing here.
/// - broadcast: the buffer stays as it is, since the root has the same.
/// - all-gather, gather: copies of this rank's input. A piece that is longer than it is filled with it
///   over and over; if the input is empty, with zeros.
/// - scatter: the root gets its own piece. On other ranks the output stays as it is: they have nothing
///   to be scattered.
/// - all-to-all: this rank's piece for itself comes from every rank, over and over where more is
///   awaited.
/// - send, receive, exchange: messages to itself arrive. Of the others, the first received within one
///   call is the first sent in it, and so on, provided that they have one size; what has no such partner
///   stays as it is, as in a receive by itself.
/// - barrier: all are there.
///
/// A call costs the time of its copies; sums and products cost one addition or multiplication for each
/// rank. Groups are opened when they are first asked for, so that a plan of a million ranks takes no
/// room by itself. Safe for use by several threads. The caller that made it closes it.
///
/// @since 0.1
public final class FakeSession implements AutoCloseable {
    private final DeviceMesh mesh;
    private final Map<String, ProcessGroup> groups = new HashMap<>();

    private FakeSession(DeviceMesh mesh) {
        this.mesh = mesh;
    }

    /// Plays a rank of a mesh.
    ///
    /// @throws dev.muster.mesh.MeshPlanException if the mesh has no such rank
    public static FakeSession of(DeviceMesh mesh, int rank) {
        return new FakeSession(mesh.withRank(rank));
    }

    /// The mesh as the rank sees it.
    public DeviceMesh mesh() {
        return mesh;
    }

    /// The rank that is played.
    public int rank() {
        return mesh.rank();
    }

    /// Returns the number of ranks of the mesh.
    public int worldSize() {
        return mesh.worldSize();
    }

    /// The group of all ranks.
    public ProcessGroup world() {
        return group(DeviceMesh.WORLD);
    }

    /// A group of the plan that the rank belongs to.
    ///
    /// @throws dev.muster.mesh.MeshPlanException if the plan has no such group
    /// @throws IllegalArgumentException if the rank is not a member
    public synchronized ProcessGroup group(String name) {
        return groups.computeIfAbsent(name, absent -> open(mesh.requireGroup(absent)));
    }

    /// The group of the rank along some dimensions; along all of them it is `world`.
    ///
    /// @throws dev.muster.mesh.MeshPlanException if a dimension does not exist, or the plan has no such groups
    public ProcessGroup axis(String... dimensions) {
        return group(mesh.ownGroup(dimensions).name());
    }

    private ProcessGroup open(MeshGroup group) {
        int[] ranks = group.ranks().stream().toArray();
        GroupIdentity identity = GroupIdentity.of(group.name(), ranks, mesh.rank(), 1);
        return ProcessGroup.of(identity, new FakeEngine(identity), ProcessGroup.DEFAULT_LIMIT, failure -> failure);
    }

    /// Closes the groups.
    @Override
    public synchronized void close() {
        groups.values().forEach(ProcessGroup::close);
    }
}
