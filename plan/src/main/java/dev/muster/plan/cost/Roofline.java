// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What bounds a device: how fast it reads its memory, and how fast its units compute. Rates are those
/// of a data sheet, or what was measured in their place.
///
/// @param bandwidth bytes per second between the device and its memory
/// @param roofs rates of its units, the slowest first
/// @param used the one of them that the work goes by
/// @since 0.1
public record Roofline(double bandwidth, List<Roof> roofs, Roof used) {
    private static final String HALF = "16-bit";
    private static final String HALF_SUMS = "16-bit with 16-bit sums";
    private static final String EIGHT = "8-bit";
    private static final String FOUR = "4-bit";
    /// Data sheets round.
    private static final double SAME = 0.01;

    /// Copies the roofs.
    ///
    /// @throws IllegalArgumentException if a rate is not positive, or the one that is used is not among
    ///     the roofs
    public Roofline {
        roofs = List.copyOf(roofs);
        if (!(bandwidth > 0) || !roofs.contains(used)) {
            throw new IllegalArgumentException("a roofline has a bandwidth, and a roof that the work goes by");
        }
    }

    /// The rate of some units.
    ///
    /// @param numbers the numbers that they multiply, for people
    /// @param peak operations per second
    public record Roof(String numbers, double peak) {
        /// Checks the rate.
        ///
        /// @throws IllegalArgumentException if it is not positive
        public Roof {
            if (!(peak > 0)) {
                throw new IllegalArgumentException("units do some operations per second");
            }
        }
    }

    /// The roofs of a device. Units of fewer bits are left out where they are no faster: then there are
    /// none.
    ///
    /// @param peak operations per second of the units that the work goes by; a rate that is none of 16,
    ///     8 and 4 bits is that of 16 bits summed in 16 bits
    public static Roofline of(DeviceFigures device, double peak) {
        List<Roof> roofs = new ArrayList<>(List.of(new Roof(HALF, device.half())));
        if (device.eight() > device.half()) {
            roofs.add(new Roof(EIGHT, device.eight()));
        }
        if (device.four() > device.eight()) {
            roofs.add(new Roof(FOUR, device.four()));
        }
        Roof used = roofs.stream()
                .filter(roof -> Double.compare(roof.peak, peak) == 0)
                .findFirst()
                .orElseGet(() -> new Roof(HALF_SUMS, peak));
        // Two roofs that look like one are drawn as the one that the work goes by.
        roofs.removeIf(roof -> !roof.equals(used) && Math.abs(roof.peak - peak) < SAME * peak);
        if (!roofs.contains(used)) {
            roofs.add(used);
            roofs.sort(Comparator.comparingDouble(Roof::peak));
        }
        return new Roofline(device.bandwidth(), roofs, used);
    }

    /// Operations for each byte from which on arithmetic limits, not memory.
    public double ridge() {
        return used.peak / bandwidth;
    }

    /// The most operations per second at so many operations for each byte.
    public double bound(double intensity) {
        return Math.min(used.peak, bandwidth * intensity);
    }

    /// Whether memory limits the work rather than arithmetic.
    public boolean isMemoryBound(Point point) {
        return point.intensity() < ridge();
    }

    /// How much of what the roof allows is reached.
    public double share(Point point) {
        return point.rate() / bound(point.intensity());
    }

    /// Work of one device, on average of all that share it and of the whole time, waiting included.
    ///
    /// @param operations operations that it does
    /// @param bytes bytes of its memory that it reads and writes
    /// @param seconds how long it takes
    /// @since 0.1
    public record Point(double operations, double bytes, double seconds) {
        /// Checks the figures.
        ///
        /// @throws IllegalArgumentException if one is not positive
        public Point {
            if (!(operations > 0 && bytes > 0 && seconds > 0)) {
                throw new IllegalArgumentException("work has operations, bytes and a time");
            }
        }

        /// Operations for each byte.
        public double intensity() {
            return operations / bytes;
        }

        /// Operations per second.
        public double rate() {
            return operations / seconds;
        }
    }
}
