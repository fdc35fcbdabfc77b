// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.gloo;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Watches that calls end in time: Gloo itself knows limits of single messages only. Its thread sleeps until the
/// deadline that it saw last, so that calls that end in time cost two writes each, and it wakes about once in the time
/// that a call may take.
final class CallGuard implements AutoCloseable {
    private static final long NEVER = Long.MAX_VALUE;
    private static final long EXPIRED = -1;
    private static final long END_MILLIS = 10_000;

    private final Overdue overdue;
    private final long origin = System.nanoTime();
    private final Thread thread;
    /// The deadline of the call under way, in nanoseconds since the origin.
    private final AtomicLong deadline = new AtomicLong(NEVER);
    /// The time at which the thread wakes by itself.
    private volatile long wake = NEVER;
    private volatile boolean closed;

    /// The action for a call that has not ended in time.
    interface Overdue {
        /// Finds out why, and ends the call if it is still under way then.
        ///
        /// @param expire declares the call overdue, and says whether it was still under way; has to be called
        void onOverdue(BooleanSupplier expire);
    }

    CallGuard(String name, Overdue overdue) {
        this.overdue = overdue;
        this.thread = Thread.ofPlatform().name("muster-gloo-" + name).daemon().start(this::watch);
    }

    /// A call begins.
    ///
    /// @param start by [System#nanoTime()]
    /// @param limitNanos its limit; zero means unlimited
    void begin(long start, long limitNanos) {
        if (limitNanos > 0) {
            long end = Math.max(0, start - origin) + limitNanos;
            deadline.set(end);
            if (end < wake) {
                LockSupport.unpark(thread);
            }
        }
    }

    /// The call has ended.
    ///
    /// @return true if it was declared overdue before
    boolean end() {
        return deadline.getAndSet(NEVER) == EXPIRED;
    }

    private void watch() {
        while (!closed) {
            long end = deadline.get();
            if (end == NEVER || end == EXPIRED) {
                sleepUntil(NEVER, end);
            } else if (end - (System.nanoTime() - origin) > 0) {
                sleepUntil(end, end);
            } else {
                overdue.onOverdue(() -> deadline.compareAndSet(end, EXPIRED));
            }
        }
    }

    /// Sleeps, unless another call has begun since the deadline was read: then its thread may have seen that this one
    /// was awake.
    private void sleepUntil(long end, long seen) {
        wake = end;
        if (deadline.get() != seen || closed) {
            return;
        }
        if (end == NEVER) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, end - (System.nanoTime() - origin));
        }
    }

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
