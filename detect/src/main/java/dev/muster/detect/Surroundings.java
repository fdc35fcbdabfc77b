// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.core.Gap;
import dev.muster.core.MemoryDevice;
import dev.muster.core.Reading;
import dev.muster.core.RuntimeEnvironment;
import dev.muster.core.StorageDevice;
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

/// What only reads files of the kernel's own: the processor, and what stands around the devices. Immutable.
///
/// @param layout where things sit in the host
/// @param layoutGaps what it could not learn
/// @param cpu the processor
/// @param network network cards
/// @param storage drives
/// @param memory memory beyond the sockets'
/// @param ioGaps what could not be learned of drives and memory
/// @param environment container, cloud, limits
record Surroundings(
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
    /// @param systemIo whether network, drives, memory and environment are wanted
    static Surroundings of(ProbeContext context, boolean systemIo) {
        List<Gap> layoutGaps = new ArrayList<>();
        HostLayout layout = HostLayout.of(context, layoutGaps::add);
        ProbeReport cpu = new CpuProbe(DeviceMemoryNodes.list(context.files())).probe(context);
        ProbeRun.log("cpu", cpu, context);
        List<Gap> ioGaps = new ArrayList<>();
        if (!systemIo) {
            return new Surroundings(
                    layout, layoutGaps, cpu, NO_NETWORK, List.of(), List.of(), ioGaps, Reading.notProbed());
        }
        return new Surroundings(
                layout,
                layoutGaps,
                cpu,
                new NetworkProbe().probe(context),
                new StorageProbe().probe(context, ioGaps::add),
                new MemoryProbe(context, ioGaps::add).probe(layout.numa()),
                ioGaps,
                new EnvironmentProbe().probe(context));
    }

    /// The same with a processor that was asked earlier.
    Surroundings withCpu(ProbeReport report) {
        return new Surroundings(layout, layoutGaps, report, network, storage, memory, ioGaps, environment);
    }
}
