// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Lets callers that want the same work at the same time share one run of it: the first does it, the others wait. The
/// lock is held to look and to swap, never while working or waiting. Safe to share between threads.
///
/// @param <T> type of the result
final class SingleFlight<T> {
    private final Duration maxWait;
    private final Object lock = new Object();
    private @Nullable CompletableFuture<T> current;

    /// @param maxWait time a caller waits for another before it does the work itself
    SingleFlight(Duration maxWait) {
        this.maxWait = maxWait;
    }

    /// Returns the result of the call in flight or, if there is none, of this call. A failure reaches every caller that
    /// waits for it, and no later one.
    T join(Supplier<T> work) {
        long started = System.nanoTime();
        while (true) {
            CompletableFuture<T> own = new CompletableFuture<>();
            CompletableFuture<T> flight = enter(own);
            if (flight == own) {
                return lead(own, work);
            }
            try {
                return flight.get(maxWait.toNanos() - (System.nanoTime() - started), TimeUnit.NANOSECONDS);
            } catch (CancellationException _) {
                // The leader was interrupted: its result is its own. Another caller leads now.
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return work.get();
            } catch (TimeoutException _) {
                return work.get();
            } catch (ExecutionException e) {
                throw unwrap(e);
            }
        }
    }

    /// Callers from now on do not wait for a run that began earlier.
    void forget() {
        synchronized (lock) {
            current = null;
        }
    }

    private CompletableFuture<T> enter(CompletableFuture<T> own) {
        synchronized (lock) {
            if (current == null) {
                current = own;
            }
            return current;
        }
    }

    private T lead(CompletableFuture<T> own, Supplier<T> work) {
        try {
            T result = work.get();
            leave(own);
            if (Thread.currentThread().isInterrupted()) {
                own.cancel(false);
            } else {
                own.complete(result);
            }
            return result;
        } catch (RuntimeException | Error e) {
            leave(own);
            own.completeExceptionally(e);
            throw e;
        }
    }

    private void leave(CompletableFuture<T> own) {
        synchronized (lock) {
            if (current == own) {
                current = null;
            }
        }
    }

    private static RuntimeException unwrap(ExecutionException e) {
        if (e.getCause() instanceof Error error) {
            throw error;
        }
        return e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
    }
}
