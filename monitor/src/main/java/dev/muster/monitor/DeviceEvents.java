// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.DeviceUsability;
import dev.muster.core.DeviceUsability.Obstacle;
import dev.muster.core.DeviceUsability.Reason;
import dev.muster.monitor.DeviceEvent.DeviceEventKind;
import dev.muster.monitor.Sampler.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Changes of devices between samples: lost and found ones, throttling, memory errors, links that went down, and other
/// faults. The newest are kept. A device that changes to and fro is reported once a minute for each kind of change.
/// Safe to share between threads.
///
/// @since 0.3
public final class DeviceEvents {
    /// The number of events that are kept.
    public static final int KEPT = 100;

    private static final Duration LEAST_PAUSE = Duration.ofMinutes(1);
    /// A host that loses all of its devices makes no more of them in one sample.
    private static final int MOST_AT_ONCE = 64;

    private static final int MOST_SAID = 10_000;

    private final CopyOnWriteArrayList<Consumer<List<DeviceEvent>>> listeners = new CopyOnWriteArrayList<>();
    private final Deque<DeviceEvent> recent = new ArrayDeque<>();
    private final Map<Said, Instant> said = new HashMap<>();
    private @Nullable AcceleratorRegistry last;
    private long number;

    /// Creates a watch that has seen nothing yet.
    public DeviceEvents() {}

    private record Said(DeviceId device, DeviceEventKind kind) {}

    /// Compares a sample with the one before, and tells the listeners of changes.
    ///
    /// @return the changes; none for the first sample
    public List<DeviceEvent> add(Sample sample) {
        List<DeviceEvent> events;
        synchronized (this) {
            AcceleratorRegistry before = last;
            last = sample.registry();
            events = before == null ? List.of() : compare(before, sample.registry(), sample.at());
            recent.addAll(events);
            while (recent.size() > KEPT) {
                recent.removeFirst();
            }
        }
        if (!events.isEmpty()) {
            listeners.forEach(listener -> listener.accept(events));
        }
        return events;
    }

    /// Has changes told, on the thread that adds samples: a listener is quick.
    ///
    /// @return ends it
    public Runnable subscribe(Consumer<List<DeviceEvent>> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /// The newest events, the oldest first.
    public synchronized List<DeviceEvent> recent() {
        return List.copyOf(recent);
    }

    private List<DeviceEvent> compare(AcceleratorRegistry before, AcceleratorRegistry now, Instant at) {
        List<DeviceEvent> events = new ArrayList<>();
        for (AcceleratorProfile device : now.profiles()) {
            AcceleratorProfile old = before.find(device.id()).orElse(null);
            if (old == null) {
                tell(events, at, device.id(), DeviceEventKind.FOUND, "was found");
            } else {
                compare(events, old, device, at);
            }
        }
        for (AcceleratorProfile device : before.profiles()) {
            if (now.find(device.id()).isEmpty()) {
                tell(events, at, device.id(), DeviceEventKind.LOST, "is no longer there");
            }
        }
        return List.copyOf(events);
    }

    private void compare(List<DeviceEvent> events, AcceleratorProfile old, AcceleratorProfile device, Instant at) {
        DeviceId id = device.id();
        if (old.available() != device.available()) {
            tell(
                    events,
                    at,
                    id,
                    device.available() ? DeviceEventKind.FOUND : DeviceEventKind.LOST,
                    device.available() ? "is available again" : "is lost");
        }
        Map<String, Reason> faults = faults(device);
        Map<String, Reason> earlier = faults(old);
        faults.forEach((key, fault) -> {
            if (!earlier.containsKey(key)) {
                tell(events, at, id, kind(fault), fault.words());
            }
        });
        earlier.forEach((key, fault) -> {
            if (!faults.containsKey(key) && device.available()) {
                boolean wasThrottled = kind(fault) == DeviceEventKind.THROTTLED;
                tell(
                        events,
                        at,
                        id,
                        wasThrottled ? DeviceEventKind.UNTHROTTLED : DeviceEventKind.RECOVERED,
                        wasThrottled ? "is no longer throttled" : "no longer " + fault.words());
            }
        });
        double errors = grown(old, device, DeviceFact.ECC_UNCORRECTED);
        if (errors > 0 && earlier.containsKey(DeviceFact.ECC_UNCORRECTED.key())) {
            tell(
                    events,
                    at,
                    id,
                    DeviceEventKind.MEMORY_ERROR,
                    "has " + (long) errors + " more uncorrected memory error" + (errors == 1 ? "" : "s"));
        }
    }

    /// Availability is told as such, and a cap of power is not a fault. Faults are compared by their evidence, since
    /// their words hold figures that change.
    private static Map<String, Reason> faults(AcceleratorProfile device) {
        Map<String, Reason> faults = new LinkedHashMap<>();
        for (Reason fault : DeviceUsability.of(device).faults()) {
            if (fault.obstacle() != Obstacle.UNAVAILABLE && fault.obstacle() != Obstacle.HIDDEN) {
                faults.putIfAbsent(fault.evidence().map(DeviceFact::key).orElse(fault.words()), fault);
            }
        }
        return faults;
    }

    private static DeviceEventKind kind(Reason fault) {
        DeviceFact<?> fact = fault.evidence().orElse(null);
        if (fact == DeviceFact.FABRIC_LINKS_DOWN || fact == DeviceFact.FABRIC_STATE) {
            return DeviceEventKind.LINK_DOWN;
        }
        if (fact == DeviceFact.THROTTLING) {
            return DeviceEventKind.THROTTLED;
        }
        boolean isMemory = fact == DeviceFact.ECC_UNCORRECTED
                || fact == DeviceFact.ECC_UNCORRECTED_LIFETIME
                || fact == DeviceFact.ROW_REMAPPING
                || fact == DeviceFact.SRAM_THRESHOLD_EXCEEDED;
        return isMemory ? DeviceEventKind.MEMORY_ERROR : DeviceEventKind.FAULT;
    }

    private static double grown(AcceleratorProfile old, AcceleratorProfile device, DeviceFact<?> counter) {
        OptionalDouble before = old.number(counter);
        OptionalDouble now = device.number(counter);
        return before.isPresent() && now.isPresent() ? now.getAsDouble() - before.getAsDouble() : 0;
    }

    private void tell(List<DeviceEvent> events, Instant at, DeviceId device, DeviceEventKind kind, String message) {
        Said key = new Said(device, kind);
        Instant before = said.get(key);
        boolean isNew = before == null || !at.isBefore(before.plus(LEAST_PAUSE));
        if (isNew && events.size() < MOST_AT_ONCE) {
            if (said.size() > MOST_SAID) {
                said.clear();
            }
            said.put(key, at);
            events.add(new DeviceEvent(++number, at, device, kind, message));
        }
    }
}
