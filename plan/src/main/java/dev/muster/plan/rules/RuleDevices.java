// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Interconnect;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The available devices of a registry, read once for all questions to the rules. Devices of unknown memory hold
/// nothing. Immutable.
final class RuleDevices {
    /// The memory assumed if no CPU states its own.
    private static final long USUAL_CPU_MEMORY = 16L << 30;

    /// The device of the highest rank; null if none is available.
    final @Nullable AcceleratorType best;

    final long bestMemory;
    final DeviceGroup tpus;
    /// GPUs, TPUs and AI chips, which a model is split over.
    final DeviceGroup chips;

    final FabricSpeed fabric;
    /// The largest memory of each class of [MemoryHolder].
    private final long[] largest;
    /// True if no CPU states its memory, so that the usual one is assumed.
    private final boolean cpuMemoryAssumed;

    private RuleDevices(AcceleratorRegistry registry) {
        List<AcceleratorProfile> tpuProfiles = new ArrayList<>();
        List<AcceleratorProfile> chipProfiles = new ArrayList<>();
        AcceleratorProfile first = null;
        this.largest = new long[MemoryHolder.COUNT];
        for (AcceleratorProfile profile : registry.profiles()) {
            if (!profile.available()) {
                continue;
            }
            // Of equal devices, the last.
            if (first == null
                    || profile.accelerator().rank() >= first.accelerator().rank()) {
                first = profile;
            }
            AcceleratorFamily family = profile.accelerator().family();
            if (family == AcceleratorFamily.TPU) {
                tpuProfiles.add(profile);
            }
            if (family != AcceleratorFamily.CPU && family != AcceleratorFamily.NPU) {
                chipProfiles.add(profile);
            }
            int holder = holderOf(profile.accelerator());
            if (holder != MemoryHolder.NONE && Long.compareUnsigned(memory(profile), largest[holder]) > 0) {
                largest[holder] = memory(profile);
            }
        }
        this.cpuMemoryAssumed = largest[MemoryHolder.CPU] == 0;
        if (cpuMemoryAssumed) {
            largest[MemoryHolder.CPU] = USUAL_CPU_MEMORY;
        }
        this.best = first == null ? null : first.accelerator();
        this.bestMemory = first == null ? 0 : memory(first);
        this.tpus = DeviceGroup.of(tpuProfiles);
        this.chips = DeviceGroup.of(chipProfiles);
        this.fabric = FabricSpeed.of(registry.systemIo().interconnects());
    }

    static RuleDevices of(AcceleratorRegistry registry) {
        return new RuleDevices(registry);
    }

    /// Returns the memory of the largest single device of a class of [MemoryHolder].
    long largest(int holder) {
        return largest[holder];
    }

    boolean isAssumed(int holder) {
        return holder == MemoryHolder.CPU && cpuMemoryAssumed;
    }

    private static long memory(AcceleratorProfile profile) {
        return profile.memory() instanceof Reading.Known<Bytes>(Bytes memory, var _) ? memory.unsigned() : 0;
    }

    private static int holderOf(AcceleratorType type) {
        return switch (type.family()) {
            case TPU -> MemoryHolder.TPU;
            case GPU -> MemoryHolder.GPU;
            case NPU -> MemoryHolder.NPU;
            case CPU -> MemoryHolder.CPU;
            case AI_ASIC -> type.kind() == AcceleratorKind.GAUDI ? MemoryHolder.GAUDI : MemoryHolder.NONE;
        };
    }

    /// Devices that hold a model together.
    ///
    /// @param types the devices, in the registry's order
    /// @param byNode the devices, neighbours next to each other and those of unknown NUMA node last
    /// @param memory sum of their memory, as an unsigned number
    /// @param slowest the least of their multipliers
    record DeviceGroup(List<AcceleratorType> types, List<AcceleratorType> byNode, long memory, double slowest) {
        static DeviceGroup of(List<AcceleratorProfile> profiles) {
            Bytes memory = Bytes.ZERO;
            double slowest = Double.POSITIVE_INFINITY;
            List<AcceleratorType> types = new ArrayList<>();
            for (AcceleratorProfile profile : profiles) {
                memory = memory.plus(new Bytes(RuleDevices.memory(profile)));
                slowest = Math.min(slowest, profile.accelerator().throughputMultiplier());
                types.add(profile.accelerator());
            }
            return new DeviceGroup(List.copyOf(types), byNode(profiles), memory.unsigned(), slowest);
        }

        private static List<AcceleratorType> byNode(List<AcceleratorProfile> profiles) {
            List<AcceleratorProfile> sorted = new ArrayList<>(profiles);
            sorted.sort((one, other) -> Long.compare(node(one), node(other)));
            List<AcceleratorType> types = new ArrayList<>();
            for (AcceleratorProfile profile : sorted) {
                types.add(profile.accelerator());
            }
            return List.copyOf(types);
        }

        private static long node(AcceleratorProfile device) {
            return device.reading(DeviceFact.NUMA_NODE) instanceof Reading.Known<Long>(Long node, var _)
                    ? node
                    : AcceleratorType.MAX_COUNT;
        }

        /// Reports whether their memory suffices together.
        boolean hold(long needed) {
            return !types.isEmpty() && Long.compareUnsigned(memory, needed) >= 0;
        }
    }

    /// The links between the devices of a registry, as far as the rules use them: the fastest link of each kind,
    /// regardless of what it joins and whether it is up.
    ///
    /// @param nvSwitch true if there is an NVSwitch
    /// @param gigabytesPerSecond the fastest NVLink, XGMI, network and ICI links together
    record FabricSpeed(boolean nvSwitch, double gigabytesPerSecond) {
        static FabricSpeed of(List<Interconnect> interconnects) {
            boolean nvSwitch = false;
            double nvlink = 0;
            double xgmi = 0;
            double network = 0;
            double ici = 0;
            for (int i = 0; i < interconnects.size(); i++) {
                Interconnect link = interconnects.get(i);
                double rate = rate(link);
                switch (link.kind()) {
                    case NVSWITCH -> {
                        nvSwitch = true;
                        nvlink = Math.max(nvlink, rate);
                    }
                    case NVLINK -> nvlink = Math.max(nvlink, rate);
                    case XGMI -> xgmi = Math.max(xgmi, rate);
                    case INFINIBAND, ROCE, ROCE_V2 -> network = Math.max(network, rate);
                    case ICI -> ici = Math.max(ici, rate);
                    case PCIE -> {
                        // The release that these rules are of does not know this kind.
                    }
                }
            }
            return new FabricSpeed(nvSwitch, nvlink + xgmi + network + ici);
        }

        private static double rate(Interconnect link) {
            return link.bandwidth() instanceof Reading.Known<Bandwidth>(Bandwidth rate, var _)
                    ? rate.gigabytesPerSecond()
                    : 0;
        }
    }
}
