package dev.muster.detect;

import dev.muster.core.AcceleratorRegistry;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Remembers what a detector found for a while, in memory. Safe to share between threads: a fresh registry is read
/// without a lock, and callers that find none at the same time share one detection.
///
/// ```java
/// CachedRegistry cache = CachedRegistry.of(Detector.ofThisHost(), Duration.ofMinutes(1));
/// AcceleratorRegistry registry = cache.get();
/// ```
///
/// A detection that fails is not remembered, nor is one whose thread was interrupted.
///
/// @since 0.1
public final class CachedRegistry {
    private final RegistryCell cell;

    private CachedRegistry(RegistryCell cell) {
        this.cell = cell;
    }

    /// Remembers what a detector found.
    ///
    /// @param ttl how long, counted from the beginning of the detection; zero to detect each time
    /// @throws IllegalArgumentException if the time is negative
    public static CachedRegistry of(Detector detector, Duration ttl) {
        return of(detector::detect, ttl, detector.patience(), System::nanoTime);
    }

    static CachedRegistry of(
            Supplier<AcceleratorRegistry> detection, Duration ttl, Duration patience, LongSupplier nanoTime) {
        return new CachedRegistry(new RegistryCell(ttl, patience, nanoTime, () -> {
            long started = nanoTime.getAsLong();
            return new RegistryCell.Kept(detection.get(), started);
        }));
    }

    /// The registry: the remembered one if it is fresh, else a new one. Waits for another caller's detection no longer
    /// than the detector may take, and then detects by itself.
    public AcceleratorRegistry get() {
        return cell.get();
    }

    /// Forgets the registry: the next call detects, and a detection under way is not remembered.
    public void invalidate() {
        cell.invalidate();
    }

    /// How long a registry is remembered.
    public Duration ttl() {
        return cell.ttl();
    }

    /// Whether the next call would be answered from memory.
    public boolean isFresh() {
        return cell.isFresh();
    }
}
