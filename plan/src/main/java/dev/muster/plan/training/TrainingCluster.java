// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Fabric;
import java.util.ArrayList;
import java.util.List;

/// Devices on one host or many, with their links.
///
/// @param pool the devices
/// @param perHost devices of each host
/// @param fabric links between them
/// @param store place of offloaded states
/// @param kinds the kinds of unlike devices; else empty
/// @since 0.1
public record TrainingCluster(DevicePool pool, int perHost, Fabric fabric, OffloadStore store, List<DevicePool> kinds) {
    /// Checks the number.
    ///
    /// @throws IllegalArgumentException if a host has no device
    public TrainingCluster {
        kinds = List.copyOf(kinds);
        if (perHost < 1) {
            throw new IllegalArgumentException("a host of a cluster has at least one device");
        }
    }

    /// Creates a cluster of devices of one kind.
    public TrainingCluster(DevicePool pool, int perHost, Fabric fabric, OffloadStore store) {
        this(pool, perHost, fabric, store, List.of());
    }

    /// Creates a cluster without further facts than its links.
    public TrainingCluster(DevicePool pool, int perHost, Fabric fabric) {
        this(pool, perHost, fabric, OffloadStore.usual(pool));
    }

    /// Returns a copy with several kinds.
    public TrainingCluster withKinds(List<DevicePool> unlike) {
        return new TrainingCluster(pool, perHost, fabric, store, unlike);
    }

    /// Returns the kinds of the devices, also if there is one.
    public List<DevicePool> kindsOrPool() {
        return kinds.isEmpty() ? List.of(pool) : kinds;
    }

    /// Returns the kinds of devices that wait for slower ones: each takes an equal part of the work.
    public List<DevicePool> waiting() {
        double slowest = Double.MAX_VALUE;
        for (DevicePool kind : kinds) {
            slowest = Math.min(slowest, kind.device().half());
        }
        List<DevicePool> waiting = new ArrayList<>();
        for (DevicePool kind : kinds) {
            if (kind.device().half() > slowest) {
                waiting.add(kind);
            }
        }
        return waiting;
    }

    /// Returns the number of devices there are.
    public int devices() {
        return pool.count();
    }

    /// Returns the number of devices the fastest links join.
    public int domain() {
        return (int) Math.min(devices(), fabric.levels().getFirst().devices());
    }

    /// Returns the number of hosts there are.
    ///
    /// @since 0.2
    public int hosts() {
        return Math.ceilDiv(devices(), perHost);
    }

    /// Returns the fewest hosts that hold a number of devices with as many on each.
    ///
    /// @since 0.2
    public int hosts(int count) {
        int hosts = Math.ceilDiv(count, perHost);
        while (count % hosts != 0) {
            hosts++;
        }
        return hosts;
    }

    /// Returns a copy with another place for offloaded states.
    public TrainingCluster withStore(OffloadStore other) {
        return new TrainingCluster(pool, perHost, fabric, other, kinds);
    }

    /// Returns a copy with another number of devices.
    public TrainingCluster withDevices(int count) {
        return new TrainingCluster(pool.withCount(count), perHost, fabric, store, kinds);
    }
}
