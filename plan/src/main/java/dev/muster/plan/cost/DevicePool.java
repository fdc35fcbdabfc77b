// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import java.util.List;

/// Devices of one kind on one host, or on several identical ones joined by a network.
///
/// @param device the figures of each: those of the weakest
/// @param name display name
/// @param count number of devices
/// @param hosts number of hosts
/// @param basis basis of their figures
/// @param domain number of devices that their own links join
/// @param network bytes per second that each sends beyond; 0 if all are joined
/// @param members devices of the registry, in the order in which plans take them; empty for devices
/// that are offered for rent. Where machines are counted several times, those of one
/// @since 0.1
public record DevicePool(
        DeviceFigures device,
        String name,
        int count,
        int hosts,
        FigureBasis basis,
        int domain,
        double network,
        List<PlannedDevice> members) {
    /// The basis of the figures of devices.
    public enum FigureBasis {
        /// Copies and products were measured on them.
        MEASURED,
        /// Their data sheet, with detected facts.
        DATA_SHEET,
        /// Detected facts alone: units, clocks, bus width.
        DERIVED
    }

    /// Checks the numbers and copies the list.
    ///
    /// @throws IllegalArgumentException if a number is below 1, or there are several domains and no network
    public DevicePool {
        if (count < 1 || hosts < 1 || domain < 1) {
            throw new IllegalArgumentException("a pool has at least one device");
        }
        if (domain < count && !(network > 0)) {
            throw new IllegalArgumentException("a pool of several domains has a network");
        }
        members = List.copyOf(members);
    }

    /// Returns devices without a registry, by their data sheet, all joined by their own links.
    public static DevicePool of(DeviceFigures device, String name, int count) {
        return new DevicePool(device, name, count, 1, FigureBasis.DATA_SHEET, Integer.MAX_VALUE, 0, List.of());
    }

    /// Returns devices of a registry, all joined by their own links.
    public static DevicePool of(DeviceFigures weakest, FigureBasis basis, List<PlannedDevice> members) {
        return new DevicePool(
                weakest, members.getFirst().name(), members.size(), 1, basis, Integer.MAX_VALUE, 0, members);
    }

    /// Reports whether copies and products were measured on them, rather than read in a data sheet.
    public boolean isMeasured() {
        return basis == FigureBasis.MEASURED;
    }

    /// Reports whether their figures are uncertain: they are in no catalogue, or have low confidence there and were not
    /// measured.
    ///
    /// @since 0.3
    public boolean isUncertain() {
        return switch (basis) {
            case MEASURED -> false;
            case DATA_SHEET -> isAssumed(device.memoryBandwidth()) || isAssumed(device.halfRate());
            case DERIVED -> true;
        };
    }

    private static boolean isAssumed(Reading<?> figure) {
        return figure instanceof Reading.Known<?>(var _, Provenance source)
                && source.confidence() == Provenance.Confidence.ASSUMED;
    }

    /// Reports whether they are slices of NVIDIA's devices, of which a process sees no more than one.
    public boolean isSliced() {
        return members.stream().anyMatch(device -> device.isSlice() && device.hasUuidName());
    }

    /// Returns the reason why they cannot be planned for; empty if all needed facts are known.
    /// Returns a copy with another number of devices.
    public DevicePool withCount(int other) {
        return new DevicePool(device, name, other, hosts, basis, domain, network, members);
    }

    /// Returns a copy with a number of hosts.
    public DevicePool withHosts(int machines) {
        return new DevicePool(device, name, count, machines, basis, domain, network, members);
    }

    /// Returns a copy as several hosts joined by a network.
    ///
    /// @param devices number of them that each host's links join
    /// @param bytesPerSecond bandwidth of each device beyond
    public DevicePool joinedBy(int devices, double bytesPerSecond) {
        return new DevicePool(device, name, count, hosts, basis, devices, bytesPerSecond, members);
    }

    /// Returns the number of replicas that fit, with no tensor or expert parallel group over two domains unless it is
    /// larger than one.
    public int room(Parallelism layout) {
        int sharers = Math.max(layout.tp(), layout.ep());
        if (sharers > domain) {
            return count / layout.devices();
        }
        int groups = count / domain * (domain / sharers) + count % domain / sharers;
        return groups / layout.pp();
    }

    /// Returns a device as the others of its tensor or expert parallel group see it: where those are more than a
    /// domain has, the network is their link.
    public DeviceFigures deviceIn(Parallelism layout) {
        return Math.max(layout.tp(), layout.ep()) <= domain ? device : device.overNetwork(network);
    }
}
