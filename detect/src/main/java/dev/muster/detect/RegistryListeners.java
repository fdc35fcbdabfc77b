// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.RegistryDifference;
import dev.muster.detect.RegistryHolder.RegistryEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reports added and removed devices to listeners. Safe to share between threads.
final class RegistryListeners {
    private final System.Logger log;
    private final List<Consumer<RegistryEvent>> listeners = new CopyOnWriteArrayList<>();
    private final Queue<RegistryEvent> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger undelivered = new AtomicInteger();
    /// The registry that listeners last saw.
    private @Nullable AcceleratorRegistry seen;

    RegistryListeners(System.Logger log) {
        this.log = log;
    }

    RegistryHolder.Subscription add(Consumer<RegistryEvent> listener) {
        // Wrapped, so that a listener that listens twice can end each by itself.
        Consumer<RegistryEvent> own = event -> listener.accept(event);
        listeners.add(own);
        return () -> listeners.remove(own);
    }

    /// Notes what is there now. The caller holds a lock; no event is delivered before [#deliver].
    void note(AcceleratorRegistry after) {
        AcceleratorRegistry before = seen;
        seen = after;
        if (before == null) {
            return;
        }
        List<AcceleratorProfile> missing = new ArrayList<>();
        for (RegistryDifference.DeviceChange change :
                RegistryDifference.between(before, after).devices()) {
            if (change.isAdded()) {
                events.add(new RegistryEvent(true, change.device()));
            } else if (change.isRemoved()) {
                missing.add(change.device());
            }
        }
        if (Detector.isCutShort(after)) {
            seen = after.whatIfAdd(missing);
        } else {
            missing.forEach(profile -> events.add(new RegistryEvent(false, profile)));
        }
    }

    /// The first caller delivers for all, so that listeners see one event at a time, in order, under no lock.
    void deliver() {
        if (undelivered.getAndIncrement() > 0) {
            return;
        }
        int counted = 1;
        try {
            while (counted > 0) {
                for (RegistryEvent event = events.poll(); event != null; event = events.poll()) {
                    deliver(event);
                }
                counted = undelivered.addAndGet(-counted);
            }
        } finally {
            if (counted > 0) {
                // A listener ended in an error: the next delivery has the rest.
                undelivered.set(0);
            }
        }
    }

    private void deliver(RegistryEvent event) {
        for (Consumer<RegistryEvent> listener : listeners) {
            try {
                listener.accept(event);
            } catch (RuntimeException e) {
                log.log(System.Logger.Level.ERROR, "a listener failed", e);
            }
        }
    }
}
