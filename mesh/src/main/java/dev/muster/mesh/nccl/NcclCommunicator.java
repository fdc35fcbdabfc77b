// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.nccl;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.cuda.GpuDevice;
import dev.muster.mesh.engine.RankWait;
import dev.muster.mesh.nccl.NcclLibrary.NcclFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A communicator of NCCL and its one way out: finished and destroyed, or aborted. The handle is gone
/// afterwards, so its users say so: an abort waits a little for that thread to come back, and
/// goes ahead if it is caught.
///
/// Used by the thread of its device; [#stop(GroupException)] is for any thread.
final class NcclCommunicator {
    private static final long CAUGHT_NANOS = Duration.ofMillis(200).toNanos();
    private static final long LOOK_NANOS = 100_000;
    private static final long ABORT_MILLIS = 5_000;
    private static final int SPINS = 1_000;
    private static final int YIELDS = 1_000;

    private final NcclLibrary nccl;
    private final GpuDevice device;
    private final long handle;
    private final MemorySegment answer = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
    private final RankWait patience = new RankWait(SPINS, YIELDS);
    private final AtomicBoolean released = new AtomicBoolean();
    private volatile boolean inside;
    private volatile @Nullable GroupException reason;
    private volatile @Nullable Thread aborting;

    NcclCommunicator(NcclLibrary nccl, GpuDevice device, long handle) {
        this.nccl = nccl;
        this.device = device;
        this.handle = handle;
    }

    long handle() {
        return handle;
    }

    /// Begins to use the handle; [#leave()] must follow.
    ///
    /// @throws GroupException if it was stopped
    void enter() {
        inside = true;
        GroupException why = reason;
        if (why != null) {
            inside = false;
            throw why;
        }
    }

    void leave() {
        inside = false;
    }

    /// @throws GroupException if it was stopped
    void requireRunning() {
        GroupException why = reason;
        if (why != null) {
            throw why;
        }
    }

    /// Reports whether nothing is under way that the library has yet to begin.
    ///
    /// @throws GroupException if something failed, here or at another member
    boolean isSettled() {
        enter();
        try {
            nccl.run(NcclFunction.ASYNC_ERROR, handle, answer.address());
        } finally {
            leave();
        }
        int state = answer.get(ValueLayout.JAVA_INT, 0);
        if (state != NcclLibrary.IN_PROGRESS) {
            nccl.requireSuccess("NCCL", state);
        }
        return state == NcclLibrary.SUCCESS;
    }

    /// Waits until the library has begun what it was asked to.
    ///
    /// @param deadline by [System#nanoTime()]; [Long#MAX_VALUE] for none
    /// @return true if it has, by the deadline
    boolean settle(long deadline) {
        return settle(deadline, () -> {});
    }

    /// As the other one, but also ends with an exception of a check that is asked again and again.
    boolean settle(long deadline, Runnable requireWanted) {
        patience.begin();
        while (!isSettled()) {
            requireWanted.run();
            if (patience.pass() && isPast(deadline)) {
                return false;
            }
        }
        return true;
    }

    static boolean isPast(long deadline) {
        return deadline != Long.MAX_VALUE && System.nanoTime() - deadline >= 0;
    }

    /// Divides it; all members call this.
    ///
    /// @param colour of those that stay together; negative to join no part
    /// @return the part; null for a member that joins none
    @Nullable
    NcclCommunicator split(int colour, int key, long deadline) {
        MemorySegment part = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
        enter();
        try {
            nccl.split(handle, colour, key, part);
        } finally {
            leave();
        }
        boolean divided = settle(deadline);
        long child = part.get(ValueLayout.JAVA_LONG, 0);
        NcclCommunicator own = child == 0 ? null : new NcclCommunicator(nccl, device, child);
        if (!divided || (own != null && !own.settle(deadline))) {
            throw new GroupException(
                    GroupError.LIMIT_EXCEEDED, "dividing a communicator has not ended within its limit");
        }
        return own;
    }

    /// Flushes it and gives it back; by the thread of its device.
    void finish(long deadline) {
        enter();
        try {
            nccl.begin(NcclFunction.FINISH, handle, 0, 0, 0, 0, 0, 0, 0);
        } finally {
            leave();
        }
        if (!settle(deadline)) {
            throw new GroupException(GroupError.LIMIT_EXCEEDED, "a communicator has not ended within its limit");
        }
        if (released.compareAndSet(false, true)) {
            nccl.run(NcclFunction.DESTROY, handle, 0);
        }
    }

    /// Ends what is under way and gives it back, on a thread of its own: an abort may wait for the
    /// device.
    synchronized void stop(GroupException why) {
        if (reason != null || released.get()) {
            return;
        }
        reason = why;
        aborting = Thread.ofPlatform()
                .daemon()
                .name("muster-nccl-abort-" + device.ordinal())
                .start(this::abort);
    }

    private void abort() {
        long end = System.nanoTime() + CAUGHT_NANOS;
        while (inside && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        if (released.compareAndSet(false, true)) {
            device.bind();
            nccl.call(NcclFunction.ABORT, handle, 0, 0, 0, 0, 0, 0, 0); // nothing is left to do on an error
        }
    }

    /// Waits for an abort that is under way.
    ///
    /// @return true if it has ended
    boolean awaitAborted() {
        Thread thread = aborting;
        if (thread == null) {
            return true;
        }
        try {
            return thread.join(Duration.ofMillis(ABORT_MILLIS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
