// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import dev.muster.core.unit.Bytes;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// A mesh in figures. Immutable.
///
/// @param worldSize number of its ranks
/// @param totalMemory known memory of all devices together
/// @param totalComputeUnits known compute units of all devices together
/// @param memoryUnknown devices whose memory is not known
/// @param computeUnitsUnknown devices whose compute units are not known
/// @param backendDistribution number of devices that each backend drives
/// @param groupCount number of groups the plan lists
/// @since 0.1
public record MeshStats(
        int worldSize,
        Bytes totalMemory,
        long totalComputeUnits,
        int memoryUnknown,
        int computeUnitsUnknown,
        Map<DeviceBackend, Integer> backendDistribution,
        long groupCount) {
    private static final long MIB = 1L << 20;

    /// Copies the map.
    public MeshStats {
        backendDistribution = Collections.unmodifiableMap(new LinkedHashMap<>(backendDistribution));
    }

    static MeshStats of(int worldSize, List<MeshDevice> devices, long groupCount) {
        Bytes memory = Bytes.ZERO;
        long units = 0;
        int memoryUnknown = 0;
        int unitsUnknown = 0;
        Map<DeviceBackend, Integer> backends = new LinkedHashMap<>();
        for (MeshDevice device : devices) {
            memory = memory.plus(device.memory().find().orElse(Bytes.ZERO));
            units += device.computeUnits().find().orElse(0L);
            memoryUnknown += device.memory().isKnown() ? 0 : 1;
            unitsUnknown += device.computeUnits().isKnown() ? 0 : 1;
            backends.merge(device.backend(), 1, Integer::sum);
        }
        return new MeshStats(worldSize, memory, units, memoryUnknown, unitsUnknown, backends, groupCount);
    }

    /// Known memory of all devices together, in MiB.
    public long totalMemoryMib() {
        return Long.divideUnsigned(totalMemory.unsigned(), MIB);
    }

    /// Returns the number of devices that each backend drives, by the backend's text.
    public Map<String, Integer> backendsByText() {
        return backendsBy(DeviceBackend::text);
    }

    /// The same with the spelling of kapsl-hal: `Cuda`, `Custom("x")`.
    public Map<String, Integer> backendsByDebugText() {
        return backendsBy(DeviceBackend::debugText);
    }

    private Map<String, Integer> backendsBy(Function<DeviceBackend, String> spelling) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        backendDistribution.forEach((backend, count) -> counts.put(spelling.apply(backend), count));
        return counts;
    }
}
