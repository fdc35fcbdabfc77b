// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.tool.ProcessNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// The load of GPUs: the programs on them, and telemetry if requested. Confined to one thread.
final class GpuLoad {
    private final ProbeContext context;
    private final Consumer<Gap> gaps;
    private final KfdProcesses processes;
    private final ProcessNames names;
    private final Map<GpuPackage, PcieThroughput> measuring = new HashMap<>();

    /// Begins to measure what takes long.
    ///
    /// @param gaps told of each file that could not be read
    GpuLoad(ProbeContext context, List<GpuPackage> gpus, Consumer<Gap> gaps) {
        this.context = context;
        this.gaps = gaps;
        this.processes = new KfdProcesses(context);
        this.names = new ProcessNames(context.files());
        for (GpuPackage gpu : gpus) {
            if (context.asksTelemetry() && gpu.card().isDriven()) {
                measuring.put(gpu, PcieThroughput.start(context, gpu.card().folder()));
            }
        }
    }

    /// A whole GPU with its load.
    AcceleratorProfile complete(AcceleratorProfile profile, GpuPackage gpu) {
        AcceleratorProfile.ProfileBuilder builder = profile.toBuilder();
        PcieThroughput throughput = measuring.get(gpu);
        if (throughput != null) {
            new CardTelemetry(context, context.folder(gpu.card().folder(), gaps)).read(builder, throughput);
        }
        builder.fill(DeviceFact.PROCESSES, processes.of(gpu.nodes()));
        return names.complete(builder.build());
    }

    /// A partition with its load.
    AcceleratorProfile complete(AcceleratorProfile partition, KfdNode node) {
        return names.complete(partition.toBuilder()
                .fill(DeviceFact.PROCESSES, processes.of(List.of(node)))
                .build());
    }
}
