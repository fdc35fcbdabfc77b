package dev.muster.mesh.mpi;

import dev.muster.mesh.collective.Call;
import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.Code;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.message.MessageCollectives;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/// Collectives over a communicator of MPI. A call with a limit is made of messages that can be given up;
/// a call without one is MPI's own collective where MPI does exactly what is asked. So members have a
/// limit, or none of them has.
final class MpiEngine implements Engine {
    /// Engines whose requests never ended: the library may still write to what they hold.
    private static final Queue<MpiEngine> ABANDONED = new ConcurrentLinkedQueue<>();

    private static final long LOOK_AGAIN_NANOS = 1_000_000;
    private static final int LOOKS = 1_000;

    private final MpiProcess process;
    private final long communicator;
    private final GroupIdentity group;
    private final MpiMover mover;
    private final MessageCollectives messages;
    private final PlainCollectives plain;
    /// Whether a call is under way: then the memory that it uses is not freed.
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
        this.mover = new MpiMover(group, process.library(), communicator, processors, partBytes);
        this.messages = new MessageCollectives(group, mover, inRankOrder);
        this.plain = new PlainCollectives(group, process.library(), communicator, inRankOrder);
        process.opened();
    }

    @Override
    public String reason() {
        return "it was asked for, by " + process.description();
    }

    @Override
    public String name() {
        return "mpi";
    }

    @Override
    public void execute(Call call) {
        executing.set(true);
        try {
            if (call.limit().isZero() && plain.can(call)) {
                plain.execute(call);
            } else {
                messages.execute(call);
            }
        } catch (MpiException e) {
            throw new GroupException(Code.ABORTED, group.where(call) + ": " + e.getMessage(), e);
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
                process.failed();
        }
        mover.stop(reason);
    }

    @Override
    public void close() {
        mover.stop(new GroupException(Code.CLOSED, "the group is closed"));
        for (int look = 0; executing.get() && look < LOOKS; look++) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
        if (executing.get() || mover.hasLeftovers()) {
            process.failed();
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
        if (communicator == library.constants().world()) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(ValueLayout.JAVA_LONG);
            handle.set(ValueLayout.JAVA_LONG, 0, communicator);
            boolean _ = library.function("MPI_Comm_free").succeeds(handle.address(), 0, 0);
        }
    }
}
