// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import dev.muster.mesh.collective.GroupException.GroupError;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// The thread of a group and what waits for it. The thread is started with the first work and is of the platform, since
/// engines may call native code.
final class WorkQueue implements AutoCloseable {
    /// The largest number of calls that wait; more is a caller that never looks back.
    private static final int CAPACITY = 10_000;

    private static final long LOOK_AGAIN_MILLIS = 60_000;

    private final String name;
    private final Deque<Work> waiting = new ArrayDeque<>();
    private @Nullable Thread worker;
    private boolean running;
    private boolean closed;
    /// True if anything waits or runs; read without the lock on the way of blocking calls.
    private volatile boolean busy;

    WorkQueue(String name) {
        this.name = name;
    }

    Work submit(Runnable task) {
        Work work = new Work(task);
        submit(work);
        return work;
    }

    synchronized void submit(Work work) {
        if (closed) {
            throw new GroupException(GroupError.CLOSED, "group " + name + " is closed");
        }
        if (waiting.size() == CAPACITY) {
            throw new IllegalStateException("group " + name + " has " + CAPACITY + " calls waiting; await some first");
        }
        waiting.add(work);
        busy = true;
        if (worker == null) {
            worker = Thread.ofPlatform().name("muster-group-" + name).daemon().start(this::loop);
        }
        notifyAll();
    }

    /// Waits until all that was submitted has ended, unless it is the group's own thread that asks.
    void awaitIdle(Duration limit) {
        if (busy) {
            awaitTurn(limit);
        }
    }

    private synchronized void awaitTurn(Duration limit) {
        if (Thread.currentThread().equals(worker)) {
            return;
        }
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            while (busy) {
                long left = limit.isZero() ? Long.MAX_VALUE : deadline - System.nanoTime();
                if (left <= 0) {
                    throw new GroupException(
                            GroupError.LIMIT_EXCEEDED,
                            "group " + name + ": earlier calls have not ended within " + GroupException.text(limit));
                }
                wait(Math.min(left / 1_000_000 + 1, LOOK_AGAIN_MILLIS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GroupException(GroupError.ABORTED, "group " + name + ": waiting was interrupted", e);
        }
    }

    private void loop() {
        while (true) {
            Work work = take();
            if (work == null) {
                return;
            }
            work.run();
        }
    }

    private synchronized @Nullable Work take() {
        running = false;
        try {
            while (waiting.isEmpty()) {
                busy = false;
                notifyAll();
                if (closed) {
                    return null;
                }
                wait(LOOK_AGAIN_MILLIS);
            }
        } catch (InterruptedException e) {
            return null; // only the end of the JVM interrupts a thread that nothing else refers to
        }
        running = true;
        return waiting.poll();
    }

    /// Takes no more work and cancels what waits; the work that runs goes on to its end.
    @Override
    public synchronized void close() {
        closed = true;
        waiting.forEach(Work::cancel);
        waiting.clear();
        busy = running;
        notifyAll();
    }
}
