// SPDX-License-Identifier: Apache-2.0
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

    private final long mostNumbers;
    private int length;
    private long[] millis;
    private final Map<DeviceId, Rings> devices = new LinkedHashMap<>();
    /// Samples so far; the next goes to this number modulo the length.
    private long count;
    /// Numbers that there is room for now.
    private long numbers;

    private SampleHistory(int length, long mostNumbers) {
        if (length < 1) {
            throw new IllegalArgumentException("a history holds one sample at least: " + length);
        }
        this.length = length;
        this.mostNumbers = mostNumbers;
        this.millis = new long[length];
    }

    /// A history of so many samples.
    public static SampleHistory ofLength(int samples) {
        return new SampleHistory(samples, Long.MAX_VALUE);
    }

    /// A history of so many samples, or of fewer where the devices of the first one tell so much that all of it
    /// would be more numbers than that, at eight bytes each. What is told later and finds no room is not kept.
    public static SampleHistory ofLength(int samples, long mostNumbers) {
        return new SampleHistory(samples, mostNumbers);
    }

    /// Adds what was seen at a time.
    public synchronized void add(Instant at, AcceleratorRegistry registry) {
        if (count == 0) {
            length = Math.clamp(mostNumbers / Math.max(1, told(registry)), 1, length);
            millis = new long[length];
        }
        int place = (int) (count % length);
        millis[place] = at.toEpochMilli();
        for (Iterator<Rings> all = devices.values().iterator(); all.hasNext(); ) {
            Rings rings = all.next();
            if (count - rings.lastSeen >= length) {
                all.remove();
                numbers -= rings.size();
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
                numbers += rings.put(place, device, mostNumbers - numbers);
            }
        }
        count++;
    }

    private static long told(AcceleratorRegistry registry) {
        long told = 0;
        for (AcceleratorProfile device : registry.profiles()) {
            for (DeviceFact<?> fact : DeviceFact.all()) {
                told += fact.isVolatile() && device.number(fact).isPresent() ? 1 : 0;
            }
        }
        return told;
    }

    /// The newest numbers of a fact, the oldest first, as [AcceleratorProfile#number(DeviceFact)] gives them; nothing
    /// where it was never known.
    ///
    /// @param most the number of samples to go back
    public synchronized List<HistoryPoint> series(DeviceId device, DeviceFact<?> fact, int most) {
        Rings rings = devices.get(device);
        double[] ring = rings == null ? null : rings.byFact[fact.index()];
        if (ring == null) {
            return List.of();
        }
        long first = Math.max(0, count - Math.clamp(most, 0, length));
        List<HistoryPoint> points = new ArrayList<>((int) (count - first));
        for (long i = first; i < count; i++) {
            int place = (int) (i % length);
            double value = ring[place];
            points.add(new HistoryPoint(
                    Instant.ofEpochMilli(millis[place]),
                    Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value)));
        }
        return points;
    }

    /// The growth of a counter between the last two samples, a second; empty if it is unknown in one, or fell,
    /// as after a reset of the device.
    public synchronized OptionalDouble rate(DeviceId device, DeviceFact<?> counter) {
        List<HistoryPoint> points = series(device, counter, 2);
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
        SampleHistory copy = new SampleHistory(length, mostNumbers);
        System.arraycopy(millis, 0, copy.millis, 0, length);
        copy.count = count;
        copy.numbers = numbers;
        devices.forEach((id, rings) -> copy.devices.put(id, rings.copy()));
        return copy;
    }

    /// The number of samples.
    public synchronized int samples() {
        return (int) Math.min(count, length);
    }

    /// The largest number of samples.
    public int length() {
        return length;
    }

    /// The memory of all numbers, in bytes: that of a whole history from the first sample on.
    public synchronized long bytes() {
        return numbers * Double.BYTES;
    }

    /// The devices of which something is known.
    public synchronized List<DeviceId> devices() {
        return List.copyOf(devices.keySet());
    }

    /// A number at a time.
    ///
    /// @param at the time
    /// @param value the number; empty where it was not known then
    /// @since 0.2
    public record HistoryPoint(Instant at, OptionalDouble value) {}

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

        long size() {
            long size = 0;
            for (double[] ring : byFact) {
                size += ring == null ? 0 : ring.length;
            }
            return size;
        }

        /// Keeps the numbers; returns how much room new ones took, which is the given one at most.
        long put(int place, AcceleratorProfile device, long room) {
            long taken = 0;
            for (DeviceFact<?> fact : DeviceFact.all()) {
                OptionalDouble value = fact.isVolatile() ? device.number(fact) : OptionalDouble.empty();
                if (value.isPresent()) {
                    double[] ring = byFact[fact.index()];
                    if (ring == null && room - taken >= length) {
                        taken += length;
                        ring = new double[length];
                        Arrays.fill(ring, Double.NaN);
                        byFact[fact.index()] = ring;
                    }
                    if (ring != null) {
                        ring[place] = value.getAsDouble();
                    }
                }
            }
            return taken;
        }
    }
}
