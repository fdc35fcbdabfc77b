// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.store.Store.Listener;
import dev.muster.mesh.store.StoreException.StoreError;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Carries changes from a table to a listener, on a thread of its own, so that a slow listener slows no other.
final class WatchDispatcher implements StoreTable.Subscriber {
    private static final long JOIN_MILLIS = 2_000;
    private static final long MAX_PENDING_BYTES = 2 * StoreLimits.MAX_TOTAL_BYTES;

    /// A change, or the end.
    private static final class Event {
        private final String key;
        private final byte @Nullable [] value;
        private final @Nullable StoreException end;

        Event(String key, byte @Nullable [] value, @Nullable StoreException end) {
            this.key = key;
            this.value = value;
            this.end = end;
        }
    }

    private final LinkedBlockingQueue<Event> queue = new LinkedBlockingQueue<>(StoreLimits.MAX_PENDING_EVENTS);
    private final Listener listener;
    private final TableStorage backing;
    private final Thread thread;
    private final AtomicLong pendingBytes = new AtomicLong();
    private volatile boolean stopped;
    private volatile boolean overrun;

    WatchDispatcher(Listener listener, TableStorage backing) {
        this.listener = listener;
        this.backing = backing;
        this.thread = Thread.ofVirtual().name("muster-store-watch").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    @Override
    public void changed(String key, byte @Nullable [] value) {
        long size = value == null ? 0 : value.length;
        if (pendingBytes.addAndGet(size) > MAX_PENDING_BYTES || !queue.offer(new Event(key, value, null))) {
            overrun = true;
        }
    }

    @Override
    public void ended(StoreException reason) {
        if (!queue.offer(new Event("", null, reason))) {
            overrun = true;
        }
    }

    /// Stops without a word to the listener, and waits for a call to it that is under way.
    void stop() {
        stopped = true;
        queue.clear();
        queue.offer(new Event("", null, null));
        if (Thread.currentThread() != thread) {
            try {
                thread.join(JOIN_MILLIS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        try {
            deliver();
        } catch (StoreException e) {
            end(e);
        } catch (RuntimeException e) {
            end(new StoreException(StoreError.LISTENER_FAILED, "the listener of a watch failed: " + e, e));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void end(StoreException reason) {
        if (!stopped) {
            listener.onEnd(reason);
        }
    }

    private void deliver() throws InterruptedException {
        Backoff pace = backing.pace();
        while (!stopped) {
            backing.refresh();
            Event event = queue.poll(pace.nextNanos(), TimeUnit.NANOSECONDS);
            if (overrun) {
                throw new StoreException(
                        StoreError.LISTENER_FAILED,
                        "the listener of a watch is more than " + StoreLimits.MAX_PENDING_EVENTS + " changes or "
                                + MAX_PENDING_BYTES + " bytes behind");
            }
            if (event == null || stopped) {
                continue;
            }
            pace.hurry();
            if (event.end != null) {
                throw event.end.again();
            }
            if (event.value == null) {
                listener.onDelete(event.key);
            } else {
                pendingBytes.addAndGet(-event.value.length);
                listener.onSet(event.key, event.value.clone());
            }
        }
    }
}
