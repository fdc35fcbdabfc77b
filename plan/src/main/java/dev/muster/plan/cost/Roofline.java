// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The roofline of a device: the bandwidth of its memory, and the rates of its units, from a data sheet or from
/// measurements.
///
/// @param bandwidth bytes per second between the device and its memory
/// @param roofs rates of its units, the slowest first
/// @param used the one of them that the work uses
/// @since 0.1
public record Roofline(double bandwidth, List<Roof> roofs, Roof used) {
    private static final String HALF = "16-bit";
    private static final String HALF_SUMS = "16-bit with 16-bit sums";
    private static final String EIGHT = "8-bit";
    private static final String FOUR = "4-bit";
    /// The rounding of data sheets.
    private static final double SAME = 0.01;

    /// Checks that rates are positive and the used one is among the roofs.
    ///
    /// @throws IllegalArgumentException if a rate is not positive, or the one that is used is not among
    ///     the roofs
    public Roofline {
        roofs = List.copyOf(roofs);
        if (!(bandwidth > 0) || !roofs.contains(used)) {
            throw new IllegalArgumentException("a roofline has a bandwidth, and a roof that the work uses");
        }
    }

    /// The rate of some units.
    ///
    /// @param numbers format of the numbers that they multiply
    /// @param peak operations per second
    public record Roof(String numbers, double peak) {
        public Roof {
            if (!(peak > 0)) {
                throw new IllegalArgumentException("units have a rate above 0");
            }
        }
    }

    /// Returns the roofs of a device. Units of fewer bits are left out if they are not faster.
    ///
    /// @param peak operations per second of the units that the work uses; a rate that is none of 16, 8 and 4 bits
    /// is that of 16 bits summed in 16 bits
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
        // Two roofs that look like one are drawn as the one that the work uses.
        roofs.removeIf(roof -> !roof.equals(used) && Math.abs(roof.peak - peak) < SAME * peak);
        if (!roofs.contains(used)) {
            roofs.add(used);
            roofs.sort(Comparator.comparingDouble(Roof::peak));
        }
        return new Roofline(device.bandwidth(), roofs, used);
    }

    /// Returns the arithmetic intensity from which on arithmetic limits, not memory.
    public double ridge() {
        return used.peak / bandwidth;
    }

    /// Returns the bound of operations per second at an arithmetic intensity.
    public double bound(double intensity) {
        return Math.min(used.peak, bandwidth * intensity);
    }

    /// Reports whether memory limits the work rather than arithmetic.
    public boolean isMemoryBound(RooflinePoint point) {
        return point.intensity() < ridge();
    }

    /// Returns the reached share of the roof.
    public double share(RooflinePoint point) {
        return point.rate() / bound(point.intensity());
    }

    /// Work of one device, on average of all that share it and of the whole time, waiting included.
    ///
    /// @param operations operations that it does
    /// @param bytes bytes of its memory that it reads and writes
    /// @param seconds duration
    /// @since 0.1
    public record RooflinePoint(double operations, double bytes, double seconds) {
        public RooflinePoint {
            if (!(operations > 0 && bytes > 0 && seconds > 0)) {
                throw new IllegalArgumentException("work has operations, bytes and a time");
            }
        }

        /// Returns the operations for each byte.
        public double intensity() {
            return operations / bytes;
        }

        /// Returns the operations per second.
        public double rate() {
            return operations / seconds;
        }
    }
}
