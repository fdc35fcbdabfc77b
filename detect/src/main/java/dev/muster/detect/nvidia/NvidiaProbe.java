// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.detect.host.Tool;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.tool.DeviceSearch;
import dev.muster.detect.tool.ProcessNames;
import java.util.ArrayList;
import java.util.List;

/// Finds NVIDIA GPUs and their MIG devices.
public final class NvidiaProbe implements DeviceSearch {
    static final String NAME = "cuda";

    static final Tool SMI = Tool.of(
            "nvidia-smi", "/usr/lib/wsl/lib", "/usr/local/nvidia/bin", "/usr/local/cuda/bin", "/opt/nvidia/bin");

    @Override
    public boolean hasSigns(ProbeContext context) {
        NvmlSource.prepare(context.host());
        return context.pci().has(NvidiaKernel::isGpu)
                || context.files().exists(NvidiaKernel.GPUS)
                || context.hasNode(NvidiaNodes.PREFIX)
                || NvidiaNodes.isTegra(context)
                || context.isInstalled(SMI);
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.ReportBuilder report = ProbeReport.builder();
        NvidiaSmi smi = new NvidiaSmi(context, report::add);
        // The kernel is asked first: meanwhile another thread begins a session with the driver.
        List<AcceleratorProfile> known = new NvidiaKernel(context, report::add).list();
        NvidiaAnswer answer = askSources(context, smi, report);
        if (answer instanceof NvidiaAnswer.NotAsked && known.isEmpty()) {
            // Only nodes are left to be seen, as in a container without the driver's libraries, or a system on a chip.
            NvidiaTegra.find(context, report::add)
                    .map(List::of)
                    .orElseGet(() -> NvidiaNodes.list(context))
                    .forEach(report::add);
            return report.build();
        }
        NvidiaUnifiedMemory memory = new NvidiaUnifiedMemory(context);
        boolean withoutNodes = NvidiaNodes.areMissing(context);
        ProbeReport joined = join(known, smi, new NvidiaUnion(answer, withoutNodes, report::add), report);
        return withNames(context, memory.complete(joined));
    }

    /// NVML tells programs by their numbers alone.
    static ProbeReport withNames(ProbeContext context, ProbeReport report) {
        ProcessNames names = new ProcessNames(context.files());
        List<AcceleratorProfile> profiles = new ArrayList<>();
        for (AcceleratorProfile device : report.profiles()) {
            profiles.add(names.complete(device));
        }
        return new ProbeReport(profiles, report.gaps(), report.interconnects(), report.nodes(), report.links());
    }

    /// Makes a report of what the driver told and what the kernel sees.
    static ProbeReport join(
            List<AcceleratorProfile> known, NvidiaSmi smi, NvidiaUnion union, ProbeReport.ReportBuilder report) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        for (AcceleratorProfile device : union.join(known)) {
            // In MIG mode the driver gives out slices alone, even where there are none yet.
            devices.add(device.isDivided() ? device.toBuilder().available(false).build() : device);
        }
        NvidiaTopology topology =
                union.answer() instanceof NvidiaAnswer.Devices told ? told.topology() : NvidiaTopology.UNKNOWN;
        new NvidiaFabric(smi, report).add(devices, topology);
        return report.build();
    }

    /// The first source that tells; else what the last one that was there said.
    private static NvidiaAnswer askSources(ProbeContext context, NvidiaSmi smi, ProbeReport.ReportBuilder report) {
        NvidiaAnswer last = new NvidiaAnswer.NotAsked();
        for (NvidiaAnswer.Source source : sources()) {
            NvidiaAnswer answer = source.ask(context, smi, report::add);
            if (answer instanceof NvidiaAnswer.Devices) {
                return answer;
            }
            last = answer instanceof NvidiaAnswer.Refused ? answer : last;
        }
        return last;
    }

    /// Those that tell most come first.
    private static List<NvidiaAnswer.Source> sources() {
        return List.of(new NvmlSource(), new NvidiaSmiXmlSource(), new NvidiaSmiQuerySource());
    }
}
