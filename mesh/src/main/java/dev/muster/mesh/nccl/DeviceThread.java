// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.nccl;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.cuda.GpuDevice;
import dev.muster.mesh.cuda.GpuDevice.GpuStream;
import dev.muster.mesh.engine.RankWait;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The stream of a device and the one thread that hands work to it: libraries know a device by the
/// thread that calls, and groups that share a device come one after the other. In steady state errands
/// leave no garbage.
final class DeviceThread implements AutoCloseable {
    /// Looks before the thread sleeps: some tens of microseconds, in which the next call of a loop
    /// comes.
    private static final int LOOKS = 2_000;

    private static final int YIELDS = 1_000;
    /// The time beyond its task that the thread may stay in a library before it counts as
    /// lost.
    private static final long GRACE_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long END_MILLIS = 2_000;

    private final GpuDevice device;
    private final GpuStream stream;
    private final Thread thread;
    private final ReentrantLock turn = new ReentrantLock();
    private final RankWait patience = new RankWait(LOOKS, YIELDS);
    private volatile @Nullable Runnable errand;
    private volatile boolean asleep;
    private volatile boolean lost;
    private volatile boolean closed;
    /// Written before the errand is taken away.
    private @Nullable Throwable failure;

    DeviceThread(GpuDevice device) {
        this.device = device;
        this.stream = device.openStream();
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("muster-device-" + device.ordinal())
                .start(this::loop);
    }

    GpuDevice device() {
        return device;
    }

    GpuStream stream() {
        return stream;
    }

    /// Runs an errand on the device's thread and waits for it.
    ///
    /// @param deadline by [System#nanoTime()]; [Long#MAX_VALUE] for none. The errand keeps to it itself;
    ///     this is for an errand that is caught in a library
    void run(Runnable task, long deadline) {
        takeTurn(deadline);
        try {
            if (lost || closed) {
                throw gone();
            }
            failure = null;
            errand = task;
            if (asleep) {
                LockSupport.unpark(thread);
            }
            patience.begin();
            while (errand != null) {
                if (patience.pass() && isPast(deadline)) {
                    lost = true;
                    throw gone();
                }
            }
            Throwable thrown = failure;
            if (thrown instanceof Error error) {
                throw error;
            }
            if (thrown instanceof RuntimeException known) {
                throw known;
            }
        } finally {
            turn.unlock();
        }
    }

    private void takeTurn(long deadline) {
        try {
            long left = deadline == Long.MAX_VALUE ? Long.MAX_VALUE : deadline - System.nanoTime() + GRACE_NANOS;
            if (!turn.tryLock(left, TimeUnit.NANOSECONDS)) {
                throw new GroupException(
                        GroupError.LIMIT_EXCEEDED,
                        "device " + device + " has been busy for another group all the time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GroupException(GroupError.ABORTED, "waiting for device " + device + " was interrupted", e);
        }
    }

    private static boolean isPast(long deadline) {
        return deadline != Long.MAX_VALUE && System.nanoTime() - deadline >= GRACE_NANOS;
    }

    private GroupException gone() {
        return closed
                ? new GroupException(GroupError.CLOSED, "device " + device + " is not used any more")
                : new GroupException(
                        GroupError.LIMIT_EXCEEDED,
                        "a call of a library for device " + device + " has not returned within its limit");
    }

    private void loop() {
        boolean bound = false;
        for (Runnable task = next(); task != null; task = next()) {
            try {
                if (!bound) {
                    device.bind();
                    bound = true;
                }
                task.run();
            } catch (RuntimeException | Error e) {
                failure = e;
            }
            errand = null;
        }
        closeStream();
    }

    private void closeStream() {
        try {
            device.bind();
            stream.close();
        } catch (GroupException e) {
            return; // a device that failed takes its streams along
        }
    }

    private @Nullable Runnable next() {
        int looks = 0;
        while (true) {
            Runnable task = errand;
            if (task != null || closed) {
                return task;
            }
            if (++looks < LOOKS) {
                Thread.onSpinWait();
                continue;
            }
            asleep = true;
            if (errand == null && !closed) {
                LockSupport.park(this);
            }
            asleep = false;
        }
    }

    /// Ends the thread and gives the stream back; an errand that runs goes on to its end.
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
