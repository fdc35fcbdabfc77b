// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceChoice;
import dev.muster.core.unit.Bandwidth;
import dev.muster.plan.Planner;
import dev.muster.plan.cost.MemoryBasis;
import java.util.Optional;

/// The devices, hosts and rates that a question is about.
///
/// @param values the values of the question
record Setup(ParameterValues values) {
    private static final String FREE = "free";

    /// Returns the planner with the devices, hosts and rates that were asked for.
    ///
    /// @throws QuestionException if a device is not found, or there are too many hosts
    Planner apply(Planner planner) {
        Planner prepared = planner;
        Optional<MemoryBasis> memory = values.find(Parameters.MEMORY);
        if (memory.isPresent()) {
            prepared = prepared.withMemory(memory.get());
        }
        if (values.has(Parameters.DEVICES)) {
            prepared = prepared.withDevices(choice(planner.registry()));
        }
        Optional<Double> host = values.find(Parameters.HOST_BANDWIDTH);
        if (host.isPresent()) {
            prepared = prepared.withHostBandwidth(new Bandwidth(host.get()));
        }
        Optional<Double> disk = values.find(Parameters.DISK_BANDWIDTH);
        if (disk.isPresent()) {
            prepared = prepared.withDiskBandwidth(new Bandwidth(disk.get()));
        }
        Optional<String> backend = values.find(Parameters.COLLECTIVES);
        if (backend.isPresent()) {
            prepared = prepared.withMeasuredCollectives(backend.get())
                    .orElseThrow(() -> QuestionException.of(
                            "{}: no collectives were measured over '{}'; measure them with"
                                    + " 'muster calibrate --mesh --backend {}'",
                            Parameters.COLLECTIVES,
                            backend.get(),
                            backend.get()));
        }
        Optional<Integer> hosts = values.find(Parameters.HOSTS);
        return hosts.isPresent() ? withHosts(prepared, hosts.get()) : prepared;
    }

    /// Returns the devices that were asked for.
    ///
    /// @throws QuestionException if a device is not found
    DeviceChoice choice(AcceleratorRegistry registry) {
        Optional<String> devices = values.find(Parameters.DEVICES).filter(text -> !text.equals(FREE));
        try {
            return devices.isPresent() ? DeviceChoice.named(registry, devices.get()) : DeviceChoice.defaults(registry);
        } catch (IllegalArgumentException e) {
            throw QuestionException.of("{}: {}", Parameters.DEVICES, String.valueOf(e.getMessage()));
        }
    }

    private static Planner withHosts(Planner planner, int hosts) {
        try {
            return planner.withHosts(hosts);
        } catch (IllegalArgumentException e) {
            throw QuestionException.of("{}: {}", Parameters.HOSTS, String.valueOf(e.getMessage()));
        }
    }
}
