package dev.muster.plan.search;

import dev.muster.plan.time.DeviceFigures;
import dev.muster.plan.time.StepLayout;
import java.util.Optional;

/// Devices of one kind on one machine, or on several that a network joins.
///
/// @param device what one of them is
/// @param name its name for people
/// @param count how many there are
/// @param isMeasured whether copies and products were measured on them, rather than read in a data sheet
/// @param domain how many of them their own links join
/// @param network bytes per second that each sends beyond; 0 where all are joined
/// @since 0.1
public record DevicePool(DeviceFigures device, String name, int count, boolean isMeasured, int domain, double network) {
    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException if a number is below 1, or there are several domains and no network
    public DevicePool {
        if (count < 1 || domain < 1) {
            throw new IllegalArgumentException("a pool has at least one device");
        }
        if (domain < count && !(network > 0)) {
            throw new IllegalArgumentException("a pool of several domains has a network");
        }
    }

    /// Devices that their own links join, all of them.
    public DevicePool(DeviceFigures device, String name, int count, boolean isMeasured) {
        this(device, name, count, isMeasured, Integer.MAX_VALUE, 0);
    }

    /// Why nothing can be planned on them; empty where all is known that a plan needs.
    public Optional<String> lacking() {
        return device.isComplete()
                ? Optional.empty()
                : Optional.of("nobody knows the bandwidth, the memory or the rate of 16-bit operations of " + name);
    }

    /// The same with another number of devices.
    public DevicePool withCount(int other) {
        return new DevicePool(device, name, other, isMeasured, domain, network);
    }

    /// The same as several machines that a network joins.
    ///
    /// @param devices how many of them each machine's links join
    /// @param bytesPerSecond what each device sends beyond
    public DevicePool joinedBy(int devices, double bytesPerSecond) {
        return new DevicePool(device, name, count, isMeasured, devices, bytesPerSecond);
    }

    /// How many copies find room, with no group of sharers over two domains unless it is larger than one.
    public int room(StepLayout layout) {
        int sharers = Math.max(layout.tensor(), layout.expert());
        if (sharers > domain) {
            return count / layout.devices();
        }
        int groups = count / domain * (domain / sharers) + count % domain / sharers;
        return groups / layout.stages();
    }

    /// A device as those see it that share matrices or experts in a layout: where they are more than a domain has, the
    /// network is their link.
    public DeviceFigures deviceIn(StepLayout layout) {
        return Math.max(layout.tensor(), layout.expert()) <= domain ? device : device.overNetwork(network);
    }
}
