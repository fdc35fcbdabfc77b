// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

import dev.muster.plan.answer.DevicePool;
import dev.muster.plan.cost.Fabric;
import java.util.ArrayList;
import java.util.List;

/// Devices on one host or many, and how they reach each other.
///
/// @param pool the devices
/// @param perHost devices of each host
/// @param fabric how they reach each other
/// @param store where states may lie that no device holds
/// @param kinds the kinds of the devices where they are unlike; else empty
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

    /// Devices of one kind.
    public TrainingCluster(DevicePool pool, int perHost, Fabric fabric, OffloadStore store) {
        this(pool, perHost, fabric, store, List.of());
    }

    /// Devices of which no more is known than how they reach each other.
    public TrainingCluster(DevicePool pool, int perHost, Fabric fabric) {
        this(pool, perHost, fabric, OffloadStore.usual(pool));
    }

    /// The same of several kinds.
    public TrainingCluster withKinds(List<DevicePool> unlike) {
        return new TrainingCluster(pool, perHost, fabric, store, unlike);
    }

    /// The kinds of the devices, also where there is one.
    public List<DevicePool> kindsOrPool() {
        return kinds.isEmpty() ? List.of(pool) : kinds;
    }

    /// Kinds of devices that wait for others, which are slower: each takes an equal part of the work.
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

    /// How many devices there are.
    public int devices() {
        return pool.count();
    }

    /// How many devices the fastest links join.
    public int domain() {
        return (int) Math.min(devices(), fabric.levels().getFirst().devices());
    }

    /// The same with another place for states that no device holds.
    public TrainingCluster withStore(OffloadStore other) {
        return new TrainingCluster(pool, perHost, fabric, other, kinds);
    }

    /// The same with another number of devices.
    public TrainingCluster withDevices(int count) {
        return new TrainingCluster(pool.withCount(count), perHost, fabric, store, kinds);
    }
}
