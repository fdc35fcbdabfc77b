// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import java.util.List;
import java.util.OptionalDouble;

/// The system around the devices: interconnects, drives, further memory, and the environment of the process.
///
/// @param interconnects network ports and fabrics
/// @param storage drives
/// @param memoryDevices memory beyond what the sockets have
/// @param environment container, Kubernetes, cloud
/// @since 0.1
public record SystemIo(
        List<Interconnect> interconnects,
        List<StorageDevice> storage,
        List<MemoryDevice> memoryDevices,
        Reading<RuntimeEnvironment> environment) {
    /// Nothing known.
    public static final SystemIo EMPTY = of(List.of(), List.of(), Reading.notProbed());

    private static final double BYTES_PER_GB = 1e9;

    /// Copies the lists.
    public SystemIo {
        interconnects = List.copyOf(interconnects);
        storage = List.copyOf(storage);
        memoryDevices = List.copyOf(memoryDevices);
    }

    /// A system of which only what documents of ai-hwaccel say is known.
    public static SystemIo of(
            List<Interconnect> interconnects, List<StorageDevice> storage, Reading<RuntimeEnvironment> environment) {
        return new SystemIo(interconnects, storage, List.of(), environment);
    }

    /// Reports whether there is any interconnect.
    public boolean hasInterconnect() {
        return !interconnects.isEmpty();
    }

    /// The known rates of all interconnects together.
    public Bandwidth totalInterconnectBandwidth() {
        double total = 0;
        for (Interconnect interconnect : interconnects) {
            total += rate(interconnect.bandwidth());
        }
        return new Bandwidth(total);
    }

    /// Seconds to read a data set from the fastest drive; nothing without a drive whose rate is known.
    public OptionalDouble estimateIngestionSeconds(Bytes dataset) {
        double best = 0;
        for (StorageDevice drive : storage) {
            best = Math.max(best, rate(drive.bandwidth()));
        }
        return best <= 0 ? OptionalDouble.empty() : OptionalDouble.of(dataset.toDouble() / (best * BYTES_PER_GB));
    }

    private static double rate(Reading<Bandwidth> bandwidth) {
        return bandwidth.find().map(Bandwidth::gigabytesPerSecond).orElse(0.0);
    }
}
