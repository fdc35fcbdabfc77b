// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.mpi;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.message.MessageCollectives;
import dev.muster.mesh.mpi.MpiFunction.MpiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/// Collectives over a communicator of MPI. A call with a limit is made of messages that can be given up;
/// a call without one is MPI's own collective where MPI does exactly what is asked. So members have a
/// limit, or none of them has.
final class MpiEngine implements Engine {
    /// Engines whose requests never ended: the library may still write to what they hold.
    private static final Queue<MpiEngine> ABANDONED = new ConcurrentLinkedQueue<>();

    private static final long LOOK_AGAIN_NANOS = 1_000_000;
    private static final int LOOKS = 1_000;
    /// Every library takes tags up to here.
    private static final int TAG_MASK = 0x7fff;

    private final MpiProcess process;
    private final long communicator;
    private final GroupIdentity group;
    private final MpiTransport mover;
    private final MessageCollectives messages;
    private final NativeCollectives plain;
    /// True if a call is under way: then the memory that it uses is not freed.
    private final AtomicBoolean executing = new AtomicBoolean();

    /// @param communicator of the members, in the order of the group
    MpiEngine(
            MpiProcess process,
            GroupIdentity group,
            long communicator,
            int processors,
            boolean inRankOrder,
            int partBytes) {
        this.process = process;
        this.communicator = communicator;
        this.group = group;
        this.mover = new MpiTransport(group, process.library(), communicator, processors, partBytes);
        this.messages = new MessageCollectives(group, mover, inRankOrder);
        this.plain = new NativeCollectives(group, process.library(), communicator, inRankOrder);
        process.opened();
    }

    /// The engine of a group. Members of a group that is not all processes call this at the same time
    /// and wait for each other without a limit, so they had better know that all have come.
    ///
    /// @param worldSize number of ranks the mesh has
    /// @param processors number of processors that the ranks of this host share
    /// @param inRankOrder true if reductions always take ranks in ascending order, at any cost
    /// @throws GroupException `unavailable` if the mesh has other ranks than MPI has processes
    static MpiEngine open(MpiProcess process, GroupIdentity group, int worldSize, int processors, boolean inRankOrder) {
        process.requirePlace(group.worldRank(group.rank()), worldSize);
        boolean isWorld =
                IntStream.range(0, worldSize).allMatch(rank -> rank < group.size() && group.worldRank(rank) == rank);
        long communicator = isWorld ? process.communicator() : create(process, group);
        return new MpiEngine(process, group, communicator, processors, inRankOrder, MpiTransport.PART_BYTES);
    }

    /// A communicator of the members alone, in the order of the group; only they need to call.
    private static long create(MpiProcess process, GroupIdentity group) {
        MpiLibrary library = process.library();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment all = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment some = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment made = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment ranks = arena.allocateFrom(
                    ValueLayout.JAVA_INT,
                    group.worldRanks().stream().mapToInt(Integer::intValue).toArray());
            library.function("MPI_Comm_group").call(process.communicator(), all.address());
            library.function("MPI_Group_incl")
                    .call(library.handle(all, 0), group.size(), ranks.address(), some.address());
            library.function("MPI_Comm_create_group")
                    .call(
                            process.communicator(),
                            library.handle(some, 0),
                            group.key().hashCode() & TAG_MASK,
                            made.address());
            library.function("MPI_Group_free").call(some.address());
            library.function("MPI_Group_free").call(all.address());
            long communicator = library.handle(made, 0);
            library.function("MPI_Comm_set_errhandler")
                    .call(communicator, library.constants().errorsReturn());
            return communicator;
        } catch (MpiException e) {
            throw new GroupException(GroupError.ABORTED, "group " + group.name() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String reason() {
        return "it was requested, by " + process.description();
    }

    @Override
    public String name() {
        return "mpi";
    }

    @Override
    public void execute(GroupCall call) {
        executing.set(true);
        try {
            if (call.limit().isZero() && plain.can(call)) {
                plain.execute(call);
            } else {
                messages.execute(call);
            }
        } catch (MpiException e) {
            throw new GroupException(GroupError.ABORTED, group.where(call) + ": " + e.getMessage(), e);
        } finally {
            if (mover.hasLeftovers()) {
                mover.callOff();
            }
            executing.setRelease(false);
        }
    }

    @Override
    public void abort(GroupException reason) {
        switch (reason.code()) {
            case RETIRED, CLOSED -> {}
            case LIMIT_EXCEEDED, PEER_LOST, DISAGREEMENT, ABORTED, PROTOCOL, REFUSED, UNAVAILABLE, STORE_LOST ->
                process.failed(String.valueOf(reason.getMessage()));
        }
        mover.stop(reason);
    }

    @Override
    public void close() {
        mover.stop(new GroupException(GroupError.CLOSED, "the group is closed"));
        for (int look = 0; executing.get() && look < LOOKS; look++) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
        if (executing.get() || mover.hasLeftovers()) {
            process.failed("group " + group.name() + " was closed during a call");
            ABANDONED.add(this);
        } else {
            free();
            messages.close();
        }
        process.closed();
    }

    /// Frees the communicator, unless it is that of all processes, which is not ours.
    private void free() {
        MpiLibrary library = process.library();
        if (communicator == process.communicator()) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(ValueLayout.JAVA_LONG);
            handle.set(ValueLayout.JAVA_LONG, 0, communicator);
            boolean _ = library.function("MPI_Comm_free").succeeds(handle.address(), 0, 0);
        }
    }
}
