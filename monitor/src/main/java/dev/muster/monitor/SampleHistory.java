package dev.muster.monitor;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/// The numbers of the last samples, for each device and each fact that passes: a ring of fixed length, so that memory
/// does not grow with time. A fact takes room from the first time it is known. Safe to share between threads.
///
/// @since 0.2
public final class SampleHistory {
    /// A device that was not seen for a whole ring is forgotten; more devices than these are not kept at a time.
    private static final int MOST_DEVICES = 1 << 16;

    private static final double MILLIS = 1000;

    private final int length;
    private final long[] millis;
    private final Map<DeviceId, Rings> devices = new LinkedHashMap<>();
    /// Samples so far; the next goes to this number modulo the length.
    private long count;

    private SampleHistory(int length) {
        if (length < 1) {
            throw new IllegalArgumentException("a history holds one sample at least: " + length);
        }
        this.length = length;
        this.millis = new long[length];
    }

    /// A history of so many samples.
    public static SampleHistory ofLength(int samples) {
        return new SampleHistory(samples);
    }

    /// Adds what was seen at a time.
    public synchronized void add(Instant at, AcceleratorRegistry registry) {
        int place = (int) (count % length);
        millis[place] = at.toEpochMilli();
        for (Iterator<Rings> all = devices.values().iterator(); all.hasNext(); ) {
            Rings rings = all.next();
            if (count - rings.lastSeen >= length) {
                all.remove();
            } else {
                rings.clear(place);
            }
        }
        for (AcceleratorProfile device : registry.profiles()) {
            Rings rings = devices.get(device.id());
            if (rings == null && devices.size() < MOST_DEVICES) {
                rings = new Rings(length);
                devices.put(device.id(), rings);
            }
            if (rings != null) {
                rings.lastSeen = count;
                rings.put(place, device);
            }
        }
        count++;
    }

    /// The newest numbers of a fact, the oldest first, as [AcceleratorProfile#number(DeviceFact)] gives them; nothing
    /// where it was never known.
    ///
    /// @param most how many samples to go back
    public synchronized List<Point> series(DeviceId device, DeviceFact<?> fact, int most) {
        Rings rings = devices.get(device);
        double[] ring = rings == null ? null : rings.byFact[fact.index()];
        if (ring == null) {
            return List.of();
        }
        long first = Math.max(0, count - Math.clamp(most, 0, length));
        List<Point> points = new ArrayList<>((int) (count - first));
        for (long i = first; i < count; i++) {
            int place = (int) (i % length);
            double value = ring[place];
            points.add(new Point(
                    Instant.ofEpochMilli(millis[place]),
                    Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value)));
        }
        return points;
    }

    /// How fast a counter grew between the last two samples, a second; nothing where it is not known in both, or fell,
    /// as after a reset of the device.
    public synchronized OptionalDouble rate(DeviceId device, DeviceFact<?> counter) {
        List<Point> points = series(device, counter, 2);
        if (points.size() < 2) {
            return OptionalDouble.empty();
        }
        OptionalDouble before = points.getFirst().value();
        OptionalDouble now = points.getLast().value();
        long passed =
                points.getLast().at().toEpochMilli() - points.getFirst().at().toEpochMilli();
        boolean known = before.isPresent() && now.isPresent() && passed > 0;
        double grown = known ? now.getAsDouble() - before.getAsDouble() : -1;
        return grown < 0 ? OptionalDouble.empty() : OptionalDouble.of(grown * MILLIS / passed);
    }

    /// A history with the same samples that does not change with this one.
    public synchronized SampleHistory copy() {
        SampleHistory copy = new SampleHistory(length);
        System.arraycopy(millis, 0, copy.millis, 0, length);
        copy.count = count;
        devices.forEach((id, rings) -> copy.devices.put(id, rings.copy()));
        return copy;
    }

    /// How many samples it holds.
    public synchronized int samples() {
        return (int) Math.min(count, length);
    }

    /// How many samples it holds at most.
    public int length() {
        return length;
    }

    /// The devices of which something is known.
    public synchronized List<DeviceId> devices() {
        return List.copyOf(devices.keySet());
    }

    /// A number at a time.
    ///
    /// @param at when
    /// @param value the number; empty where it was not known then
    /// @since 0.2
    public record Point(Instant at, OptionalDouble value) {}

    /// The rings of one device.
    private static final class Rings {
        final int length;
        final double[][] byFact = new double[DeviceFact.all().size()][];
        long lastSeen;

        Rings(int length) {
            this.length = length;
        }

        Rings copy() {
            Rings copy = new Rings(length);
            copy.lastSeen = lastSeen;
            for (int i = 0; i < byFact.length; i++) {
                copy.byFact[i] = byFact[i] == null ? null : byFact[i].clone();
            }
            return copy;
        }

        void clear(int place) {
            for (double[] ring : byFact) {
                if (ring != null) {
                    ring[place] = Double.NaN;
                }
            }
        }

        void put(int place, AcceleratorProfile device) {
            for (DeviceFact<?> fact : DeviceFact.all()) {
                OptionalDouble value = fact.isPassing() ? device.number(fact) : OptionalDouble.empty();
                if (value.isPresent()) {
                    double[] ring = byFact[fact.index()];
                    if (ring == null) {
                        ring = new double[length];
                        Arrays.fill(ring, Double.NaN);
                        byFact[fact.index()] = ring;
                    }
                    ring[place] = value.getAsDouble();
                }
            }
        }
    }
}
