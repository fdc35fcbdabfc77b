package dev.muster.detect;

import dev.muster.core.AcceleratorRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Keeps one registry for a while. Whoever finds it fresh takes no lock. Safe to share between threads.
final class RegistryCell {
    private final Duration ttl;
    private final long ttlNanos;
    private final LongSupplier nanoTime;
    private final Supplier<Kept> source;
    private final SingleFlight<Kept> flight;
    private final Object lock = new Object();
    private volatile @Nullable Kept kept;
    private volatile long era;

    /// @param ttl how long a registry is kept; zero for not at all
    /// @param patience how long a caller waits for another's detection
    /// @param nanoTime a monotonic clock
    /// @param source makes a registry
    RegistryCell(Duration ttl, Duration patience, LongSupplier nanoTime, Supplier<Kept> source) {
        if (ttl.isNegative()) {
            throw new IllegalArgumentException("a time to live is not negative: " + ttl);
        }
        this.ttl = ttl;
        this.ttlNanos = saturatedNanos(ttl);
        this.nanoTime = nanoTime;
        this.source = source;
        this.flight = new SingleFlight<>(patience);
    }

    AcceleratorRegistry get() {
        Kept present = kept;
        if (present != null && isYoung(present)) {
            return present.registry();
        }
        return (ttl.isZero() ? source.get() : flight.join(this::renew)).registry();
    }

    Duration ttl() {
        return ttl;
    }

    boolean isFresh() {
        Kept present = kept;
        return present != null && isYoung(present);
    }

    Optional<Duration> age() {
        Kept present = kept;
        return present == null
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(Math.max(0, nanoTime.getAsLong() - present.takenAt())));
    }

    void invalidate() {
        synchronized (lock) {
            era++;
            kept = null;
        }
        flight.forget();
    }

    private Kept renew() {
        Kept present = kept;
        if (present != null && isYoung(present)) {
            // Another caller's detection ended between this one's look and its turn.
            return present;
        }
        long begun = era;
        Kept renewed = source.get();
        synchronized (lock) {
            // An interrupted detection is cut short, and one from before an invalidation is not wanted.
            if (begun == era && !Thread.currentThread().isInterrupted()) {
                kept = renewed;
            }
        }
        return renewed;
    }

    private boolean isYoung(Kept present) {
        return nanoTime.getAsLong() - present.takenAt() < ttlNanos;
    }

    static long saturatedNanos(Duration duration) {
        return duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) >= 0 ? Long.MAX_VALUE : duration.toNanos();
    }

    /// A registry and when it was observed.
    ///
    /// @param registry the registry
    /// @param takenAt on the monotonic clock, when its observation began
    record Kept(AcceleratorRegistry registry, long takenAt) {}
}
