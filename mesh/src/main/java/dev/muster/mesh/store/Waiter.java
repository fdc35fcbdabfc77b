package dev.muster.mesh.store;

import dev.muster.mesh.store.StoreException.Code;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A call that waits for keys. The table guards which are missing; the caller waits for the end.
final class Waiter {
    private final List<String> keys;
    private final Set<String> missing;
    private final CompletableFuture<Map<String, byte[]>> done = new CompletableFuture<>();

    Waiter(List<String> keys) {
        this.keys = keys;
        this.missing = new LinkedHashSet<>(keys);
    }

    List<String> keys() {
        return keys;
    }

    /// To be used under the table's lock alone.
    Set<String> missing() {
        return missing;
    }

    void complete(Map<String, byte[]> values) {
        done.complete(values);
    }

    void fail(StoreException reason) {
        done.completeExceptionally(reason);
    }

    /// Waits for so long; tells whether the waiting has an end, good or bad.
    boolean await(long nanos) {
        try {
            done.get(nanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException _) {
            return false;
        } catch (ExecutionException _) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(
                    Code.INTERRUPTED, "interrupted while waiting for " + StoreException.named(keys), e);
        }
    }

    boolean isDone() {
        return done.isDone();
    }

    /// The values, after the end of the waiting.
    Map<String, byte[]> result() {
        try {
            return done.getNow(Map.of());
        } catch (CompletionException e) {
            throw e.getCause() instanceof StoreException reason ? reason.again() : e;
        }
    }

    static StoreException exceeded(Duration limit, List<String> missing) {
        return new StoreException(
                Code.LIMIT_EXCEEDED,
                StoreException.named(missing) + (missing.size() == 1 ? " was" : " were") + " not set within "
                        + limit.toMillis() + " ms",
                missing,
                null);
    }
}
