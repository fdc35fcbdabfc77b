// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.RegistryDifference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Holds what a detector found for a while: in memory, and, if asked to, in a file that later processes of the same
/// user read. Detects one family of devices where only that is wanted, and tells listeners which devices came and
/// went. Safe to share between threads: a fresh registry is read without a lock, callers that find none at the same
/// time share one detection; it has no background thread.
///
/// ```java
/// RegistryHolder holder = RegistryHolder.of(Detector.ofThisHost(), Duration.ofMinutes(1));
/// AcceleratorRegistry registry = holder.get();
/// ```
///
/// A detection that fails is not held, nor is one whose thread was interrupted.
///
/// The file is trusted only if it is the user's own and no other user may write to it, if it is younger than the time
/// to live by its own word and by its file's time and not from the future, and if the same question was asked since the
/// same start of the same host. Otherwise, and whenever it cannot be read, the host is asked. The facts of a remembered
/// registry keep their provenance; the one of `observedAt` says that a document told it. A detection in which a probe
/// failed or ran out of time is not written.
///
/// @since 0.1
public final class RegistryHolder {
    private static final Duration FOR_GOOD = Duration.ofNanos(Long.MAX_VALUE);

    private final Detector detector;
    private final Supplier<AcceleratorRegistry> detection;
    private final Duration ttl;
    private final long ttlNanos;
    private final @Nullable RegistryFile file;
    private final LongSupplier nanoTime;
    private final SingleFlight<CachedRegistry> flight;
    private final RegistryListeners listeners;
    private final AtomicLong tickets = new AtomicLong();
    private final Object lock = new Object();
    private volatile @Nullable CachedRegistry kept;
    private @Nullable FamilyProbes families;
    /// The ticket of the detection that is held, or of the last invalidation.
    private long newest;

    RegistryHolder(
            Detector detector,
            Supplier<AcceleratorRegistry> detection,
            Duration ttl,
            @Nullable Path folder,
            Duration maxWait,
            LongSupplier nanoTime) {
        if (ttl.isNegative()) {
            throw new IllegalArgumentException("the time to live must not be negative: " + ttl);
        }
        this.detector = detector;
        this.detection = detection;
        this.ttl = ttl;
        this.ttlNanos = ttl.compareTo(FOR_GOOD) >= 0 ? Long.MAX_VALUE : ttl.toNanos();
        this.file = folder == null || ttl.isZero() ? null : new RegistryFile(detector, folder);
        this.nanoTime = nanoTime;
        this.flight = new SingleFlight<>(maxWait);
        this.listeners = new RegistryListeners(detector.log());
    }

    /// Holds what a detector found until it is refreshed or invalidated.
    public static RegistryHolder of(Detector detector) {
        return of(detector, FOR_GOOD);
    }

    /// Holds what a detector found for some time.
    ///
    /// @param ttl time to live, counted from the beginning of the detection; zero to detect each time
    /// @throws IllegalArgumentException if the time is negative
    public static RegistryHolder of(Detector detector, Duration ttl) {
        return new RegistryHolder(detector, detector::detect, ttl, null, detector.maxWait(), System::nanoTime);
    }

    /// Holds what a detector found for some time, across processes.
    ///
    /// @param ttl time to live, counted from the detection; zero to detect each time and to write nothing
    /// @param folder a folder of Muster's own, such as `~/.cache/muster`; made if it is not there
    /// @throws IllegalArgumentException if the time is negative
    public static RegistryHolder of(Detector detector, Duration ttl, Path folder) {
        return new RegistryHolder(detector, detector::detect, ttl, folder, detector.maxWait(), System::nanoTime);
    }

    /// The registry: the held one if it is fresh, else a new one. Families that were asked for are not asked again.
    /// Waits for another caller's detection no longer than the detector may take, and then detects by itself.
    public AcceleratorRegistry get() {
        CachedRegistry present = fresh();
        if (present != null) {
            return present.registry();
        }
        AcceleratorRegistry registry = (ttl.isZero() ? renew() : flight.join(this::renew)).registry();
        listeners.deliver();
        return registry;
    }

    /// The available devices of a family. Where no fresh registry is held, asks for this family alone.
    public List<AcceleratorProfile> byFamily(AcceleratorFamily family) {
        CachedRegistry present = fresh();
        List<AcceleratorProfile> profiles =
                present != null ? present.registry().profiles() : families().of(family);
        return profiles.stream()
                .filter(profile -> profile.accelerator().family() == family && profile.available())
                .toList();
    }

    /// The CPU and the devices of the families asked for so far. Asks for no other.
    public List<AcceleratorProfile> probedProfiles() {
        CachedRegistry present = fresh();
        return present != null ? present.registry().profiles() : families().probed();
    }

    /// Detects and swaps the registry, however fresh it is. Where several callers refresh at once, the detection that
    /// began last stays. After an interrupt the registry stays as it was.
    ///
    /// @return the changes made by this call; nothing if a later detection was faster, or if none was held before
    public RegistryDifference refresh() {
        long ticket = tickets.incrementAndGet();
        RegistryDifference difference = hold(detect(null), ticket);
        listeners.deliver();
        return difference;
    }

    /// Tells a listener of each device that comes or goes from now on, one event at a time, on a thread that calls
    /// `refresh()` or `get()`. A device that is missing from a detection in which a probe failed or took too long
    /// is not said to be removed. What a listener throws is logged.
    ///
    /// @return ends it
    public Subscription listen(Consumer<RegistryEvent> listener) {
        get();
        return listeners.add(listener);
    }

    /// Forgets the registry, and deletes the file: the next call detects, and a detection under way is not held.
    public void invalidate() {
        synchronized (lock) {
            newest = tickets.incrementAndGet();
            kept = null;
            families = null;
        }
        flight.forget();
        if (file != null) {
            file.delete();
        }
    }

    /// Returns the time to live of a registry.
    public Duration ttl() {
        return ttl;
    }

    /// Reports whether the next call would be answered from memory.
    public boolean isFresh() {
        return fresh() != null;
    }

    /// Returns the age of the registry in memory; nothing before the first call and after an invalidation.
    public Optional<Duration> age() {
        CachedRegistry present = kept;
        return present == null
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(Math.max(0, nanoTime.getAsLong() - present.takenAt())));
    }

    private FamilyProbes families() {
        synchronized (lock) {
            FamilyProbes asked = families;
            if (asked == null || !isYoung(asked.begunAt())) {
                asked = new FamilyProbes(detector, nanoTime.getAsLong());
                families = asked;
            }
            return asked;
        }
    }

    private CachedRegistry renew() {
        CachedRegistry present = fresh();
        if (present != null) {
            // Another caller's detection ended between this one's look and its turn.
            return present;
        }
        long ticket = tickets.incrementAndGet();
        FamilyProbes asked;
        synchronized (lock) {
            asked = families != null && isYoung(families.begunAt()) ? families : null;
        }
        CachedRegistry renewed = findCached().orElseGet(() -> detect(asked));
        hold(renewed, ticket);
        return renewed;
    }

    private Optional<CachedRegistry> findCached() {
        return file == null
                ? Optional.empty()
                : file.find(ttl)
                        .map(content -> new CachedRegistry(
                                content.registry(),
                                nanoTime.getAsLong() - content.age().toNanos()));
    }

    private CachedRegistry detect(@Nullable FamilyProbes asked) {
        long started = asked == null ? nanoTime.getAsLong() : asked.begunAt();
        AcceleratorRegistry registry = asked == null ? detection.get() : asked.whole();
        if (file != null
                && !Detector.isCutShort(registry)
                && !Thread.currentThread().isInterrupted()) {
            file.write(registry);
        }
        return new CachedRegistry(registry, started);
    }

    /// An interrupted detection is cut short, and one from before an invalidation or a later one is not wanted.
    private RegistryDifference hold(CachedRegistry renewed, long ticket) {
        synchronized (lock) {
            CachedRegistry before = kept;
            if (ticket < newest || Thread.currentThread().isInterrupted()) {
                return RegistryDifference.NONE;
            }
            newest = ticket;
            kept = renewed;
            families = null;
            listeners.note(renewed.registry());
            return before == null
                    ? RegistryDifference.NONE
                    : RegistryDifference.between(before.registry(), renewed.registry());
        }
    }

    private @Nullable CachedRegistry fresh() {
        CachedRegistry present = kept;
        return present != null && isYoung(present.takenAt()) ? present : null;
    }

    private boolean isYoung(long takenAt) {
        return nanoTime.getAsLong() - takenAt < ttlNanos;
    }

    /// A device came or went. Immutable.
    ///
    /// @param added true if the device appeared, false if it is gone
    /// @param profile the device; one that is gone as it was last seen
    /// @since 0.2
    public record RegistryEvent(boolean added, AcceleratorProfile profile) {}

    /// A listener's place among the others.
    ///
    /// @since 0.1
    @FunctionalInterface
    public interface Subscription extends AutoCloseable {
        /// Ends it: the listener is told nothing more, but for an event that is being told already.
        @Override
        void close();
    }

    /// A registry and when it was observed.
    ///
    /// @param registry the registry
    /// @param takenAt on the monotonic clock, when its observation began
    private record CachedRegistry(AcceleratorRegistry registry, long takenAt) {}
}
