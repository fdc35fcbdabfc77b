package dev.muster.plan.training;

import dev.muster.plan.search.DevicePool;
import dev.muster.plan.search.HostLinks;
import dev.muster.plan.time.Fabric;

/// Devices of one kind on one host or many, and how they reach each other.
///
/// @param pool the devices
/// @param perHost devices of each host
/// @param fabric how they reach each other
/// @since 0.1
public record TrainingCluster(DevicePool pool, int perHost, Fabric fabric) {
    /// Checks the number.
    ///
    /// @throws IllegalArgumentException if a host has no device
    public TrainingCluster {
        if (perHost < 1) {
            throw new IllegalArgumentException("a host of a cluster has at least one device");
        }
    }

    /// The devices of machines that something joins.
    ///
    /// @param one those of the registry
    public static TrainingCluster of(DevicePool one, HostLinks links) {
        return new TrainingCluster(
                links.pool(one), links.perMachine(one), Fabric.of(one.device(), links.domain(), links.network()));
    }

    /// How many devices there are.
    public int devices() {
        return pool.count();
    }

    /// How many devices the fastest links join.
    int domain() {
        return (int) Math.min(devices(), fabric.levels().getFirst().devices());
    }

    /// The same with another number of devices.
    public TrainingCluster withDevices(int count) {
        return new TrainingCluster(pool.withCount(count), perHost, fabric);
    }
}
