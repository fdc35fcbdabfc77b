// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.MemoryDevice;
import dev.muster.core.Reading;
import dev.muster.core.RuntimeEnvironment;
import dev.muster.core.StorageDevice;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.cpu.CpuProbe;
import dev.muster.detect.environment.EnvironmentProbe;
import dev.muster.detect.fabric.HostLayout;
import dev.muster.detect.fabric.MemoryProbe;
import dev.muster.detect.fabric.NetworkProbe;
import dev.muster.detect.fabric.NetworkReport;
import dev.muster.detect.pci.DeviceMemoryNodes;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.storage.StorageProbe;
import java.util.ArrayList;
import java.util.List;

/// Facts of the host that only need the kernel's own files: the processor, and the system around the devices.
/// Immutable.
/// @param layout the places of devices in the host
/// @param layoutGaps facts missing from the layout
/// @param cpu the processor
/// @param network network cards
/// @param storage drives
/// @param memory memory beyond the sockets'
/// @param ioGaps missing facts of drives and memory
/// @param environment container, cloud, limits
record HostFacts(
        HostLayout layout,
        List<Gap> layoutGaps,
        ProbeReport cpu,
        NetworkReport network,
        List<StorageDevice> storage,
        List<MemoryDevice> memory,
        List<Gap> ioGaps,
        Reading<RuntimeEnvironment> environment) {
    private static final NetworkReport NO_NETWORK = new NetworkReport(List.of(), List.of(), List.of());

    /// Reads them.
    ///
    /// @param systemIo true to read network, drives, memory and environment
    static HostFacts of(ProbeContext context, boolean systemIo) {
        List<Gap> layoutGaps = new ArrayList<>();
        HostLayout layout = HostLayout.of(context, layoutGaps::add);
        ProbeReport cpu = new CpuProbe(DeviceMemoryNodes.list(context.files())).probe(context);
        ProbeRun.log("cpu", cpu, context);
        List<Gap> ioGaps = new ArrayList<>();
        cpu = withinGroup(cpu, EnvironmentProbe.memoryLeft(context));
        if (!systemIo) {
            return new HostFacts(
                    layout, layoutGaps, cpu, NO_NETWORK, List.of(), List.of(), ioGaps, Reading.notProbed());
        }
        return new HostFacts(
                layout,
                layoutGaps,
                cpu,
                new NetworkProbe().probe(context),
                new StorageProbe().probe(context, ioGaps::add),
                new MemoryProbe(context, ioGaps::add).probe(layout.numa()),
                ioGaps,
                new EnvironmentProbe().probe(context));
    }

    /// The memory that the control group leaves is less than the host's free memory in a small container.
    private static ProbeReport withinGroup(ProbeReport report, Reading<Bytes> left) {
        List<AcceleratorProfile> processors = new ArrayList<>();
        for (AcceleratorProfile cpu : report.profiles()) {
            boolean isLess = left instanceof Reading.Known<Bytes>(Bytes most, var _)
                    && !(cpu.memoryFree() instanceof Reading.Known<Bytes>(Bytes free, var _)
                            && free.compareTo(most) <= 0);
            processors.add(
                    isLess ? cpu.toBuilder().with(DeviceFact.MEMORY_FREE, left).build() : cpu);
        }
        return new ProbeReport(processors, report.gaps(), report.interconnects(), report.nodes(), report.links());
    }

    /// The host's memory that can still be taken.
    Reading<Bytes> memoryFree() {
        return cpu.profiles().isEmpty()
                ? Reading.notProbed()
                : cpu.profiles().getFirst().memoryFree();
    }

    /// The same with a processor that was asked earlier.
    HostFacts withCpu(ProbeReport report) {
        return new HostFacts(layout, layoutGaps, report, network, storage, memory, ioGaps, environment);
    }
}
