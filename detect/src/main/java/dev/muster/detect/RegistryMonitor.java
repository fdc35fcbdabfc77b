package dev.muster.detect;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.RegistryDifference;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// Holds the newest registry of a host and tells listeners which devices came and went. Safe to share between threads:
/// readers take no lock, and nothing happens between calls of `refresh()`; there is no thread behind it.
///
/// ```java
/// RegistryMonitor monitor = RegistryMonitor.of(Detector.ofThisHost());
/// monitor.listen(event -> System.out.println(event));
/// RegistryDifference changes = monitor.refresh();
/// ```
///
/// @since 0.1
public final class RegistryMonitor {
    private final Detector detector;
    private final List<Consumer<RegistryEvent>> listeners = new CopyOnWriteArrayList<>();
    private final Queue<RegistryEvent> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger undelivered = new AtomicInteger();
    private final AtomicLong tickets = new AtomicLong();
    private final Object swap = new Object();
    private volatile AcceleratorRegistry current;
    /// What listeners believe to be there.
    private AcceleratorRegistry told;

    private long newest;

    private RegistryMonitor(Detector detector) {
        this.detector = detector;
        this.current = detector.detect();
        this.told = current;
    }

    /// Detects, and begins with what is there.
    public static RegistryMonitor of(Detector detector) {
        return new RegistryMonitor(detector);
    }

    /// The newest registry. Asks nothing.
    public AcceleratorRegistry registry() {
        return current;
    }

    /// Tells a listener of each device that comes or goes from now on, one event at a time, on a thread that calls
    /// `refresh()`. What it throws is logged.
    ///
    /// @return ends it
    public Subscription listen(Consumer<RegistryEvent> listener) {
        // Wrapped, so that a listener that listens twice can end each by itself.
        Consumer<RegistryEvent> own = event -> listener.accept(event);
        listeners.add(own);
        return () -> listeners.remove(own);
    }

    /// Detects and swaps the registry. Where several callers refresh at once, the detection that began last stays,
    /// and one of them tells the listeners. A device that is missing from a detection in which a probe failed or
    /// took too long is not said to be removed. After an interrupt the registry stays as it was.
    ///
    /// @return what changed by this call; nothing if a later detection was faster
    public RegistryDifference refresh() {
        long ticket = tickets.incrementAndGet();
        AcceleratorRegistry after = detector.detect();
        RegistryDifference difference = new RegistryDifference(List.of());
        if (Thread.currentThread().isInterrupted()) {
            return difference;
        }
        synchronized (swap) {
            if (ticket > newest) {
                newest = ticket;
                difference = RegistryDifference.between(current, after);
                current = after;
                noteEvents(after);
            }
        }
        deliver();
        return difference;
    }

    private void noteEvents(AcceleratorRegistry after) {
        boolean isCutShort = Detector.isCutShort(after);
        List<AcceleratorProfile> missing = new ArrayList<>();
        for (RegistryDifference.Change change :
                RegistryDifference.between(told, after).changes()) {
            if (change instanceof RegistryDifference.DeviceAdded(AcceleratorProfile profile)) {
                events.add(new RegistryEvent.DeviceAdded(profile));
            } else if (change instanceof RegistryDifference.DeviceRemoved(AcceleratorProfile profile)) {
                missing.add(profile);
            }
        }
        if (isCutShort) {
            told = after.whatIfAdd(missing);
        } else {
            missing.forEach(profile -> events.add(new RegistryEvent.DeviceRemoved(profile)));
            told = after;
        }
    }

    /// Whoever comes first delivers for all, so that listeners see one event at a time, in order, under no lock.
    private void deliver() {
        if (undelivered.getAndIncrement() > 0) {
            return;
        }
        int seen = 1;
        try {
            while (seen > 0) {
                for (RegistryEvent event = events.poll(); event != null; event = events.poll()) {
                    tell(event);
                }
                seen = undelivered.addAndGet(-seen);
            }
        } finally {
            if (seen > 0) {
                // A listener ended in an error: the next refresh tells the rest.
                undelivered.set(0);
            }
        }
    }

    private void tell(RegistryEvent event) {
        for (Consumer<RegistryEvent> listener : listeners) {
            try {
                listener.accept(event);
            } catch (RuntimeException e) {
                detector.log().log(System.Logger.Level.ERROR, "a listener failed", e);
            }
        }
    }

    /// A listener's place among the others.
    ///
    /// @since 0.1
    @FunctionalInterface
    public interface Subscription extends AutoCloseable {
        /// Ends it: the listener is told nothing more, but for an event that is being told already.
        @Override
        void close();
    }
}
