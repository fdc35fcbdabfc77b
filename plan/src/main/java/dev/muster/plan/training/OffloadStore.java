// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

import dev.muster.plan.cost.DeviceFamily;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.PlannedDevice;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/// The place of offloaded training states, with its bandwidths.
///
/// @param place the place
/// @param bytes bytes for programs on each host; infinite if unknown
/// @param link bytes per second between a device and the memory of its host, each way
/// @param memoryRate bytes per second of the memory of a host
/// @param driveRate bytes per second of the drives of a host
/// @param assumptions the values that are assumed
/// @since 0.1
public record OffloadStore(
        Place place, double bytes, double link, double memoryRate, double driveRate, Set<Assumption> assumptions) {
    /// A value that copies of memory exceed on two sockets of current servers, and do not reach on one of ten years
    /// ago. A guess.
    public static final double SERVER_MEMORY = 200e9;
    /// The memory rate of desktops, which have two channels. A guess.
    public static final double DESKTOP_MEMORY = 50e9;
    /// Four lanes of PCI Express 3.0, as drives of many kinds have. A guess.
    public static final double DRIVE = 3e9;

    private static final Set<Assumption> ASSUMED = Set.of(Assumption.ROOM, Assumption.LINK, Assumption.MEMORY_RATE);

    /// A value that is not known of the host.
    public enum Assumption {
        /// It has room for the states.
        ROOM,
        /// Devices reach it with the bandwidth of their data sheet, or by 16 lanes of PCI Express 3.0.
        LINK,
        /// Its memory has the usual rate.
        MEMORY_RATE,
        /// Its drives have the usual rate.
        DRIVE_RATE
    }

    /// The places.
    public enum Place {
        /// The memory of the host.
        HOST,
        /// Its drives.
        DISK;

        /// Returns the name on the command line and in documents.
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException unless all are above 0
    public OffloadStore {
        if (!(bytes >= 0 && link > 0 && memoryRate > 0 && driveRate > 0)) {
            throw new IllegalArgumentException("what states lie on has room and rates");
        }
        assumptions = Collections.unmodifiableSet(
                assumptions.isEmpty() ? EnumSet.noneOf(Assumption.class) : EnumSet.copyOf(assumptions));
    }

    /// Returns the usual store of devices whose host is unknown.
    public static OffloadStore usual(DevicePool pool) {
        double link = PlannedDevice.of(pool.device(), pool.name()).hostLink();
        return new OffloadStore(Place.HOST, Double.POSITIVE_INFINITY, link, usualMemory(pool), DRIVE, ASSUMED);
    }

    /// Returns the usual memory rate of a host with such devices: an estimate.
    public static double usualMemory(DevicePool pool) {
        return isOfServers(pool.device().family()) ? SERVER_MEMORY : DESKTOP_MEMORY;
    }

    private static boolean isOfServers(DeviceFamily family) {
        return switch (family) {
            case NVIDIA_HBM, AMD_HBM, TPU, GAUDI, NEURON -> true;
            case NVIDIA_GDDR, NVIDIA_SHARED, AMD_GDDR, AMD_SHARED, APPLE, CPU, OTHER -> false;
        };
    }

    /// Returns a copy on the drives of the host.
    public OffloadStore onDrives() {
        return new OffloadStore(Place.DISK, Double.POSITIVE_INFINITY, link, memoryRate, driveRate, assumptions);
    }

    /// Reports whether its size is known.
    public boolean isRoomKnown() {
        return bytes < Double.POSITIVE_INFINITY;
    }
}
