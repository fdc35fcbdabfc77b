// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.tool.DeviceSearch;
import java.util.ArrayList;
import java.util.List;

/// Finds AMD's GPUs: in the files of the compute and the graphics driver, on the PCI bus, and where these leave memory
/// or name unknown, or if such files are missing, through AMD's tools.
public final class RocmProbe implements DeviceSearch {
    static final String NAME = "rocm";

    @Override
    public boolean hasSigns(ProbeContext context) {
        return context.pci().hasVendor(AmdCard.VENDOR)
                || context.files().exists(KfdTopology.NODES)
                || AmdCard.isShown(context.files())
                || (hidesHardware(context) && AmdTools.isInstalled(context));
    }

    /// Reports whether the kernel's files are hidden, as in some containers: then an installed tool is a sign.
    /// Elsewhere it is often just installed.
    private static boolean hidesHardware(ProbeContext context) {
        return context.pci().devices().isEmpty();
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.ReportBuilder report = ProbeReport.builder();
        KfdTopology topology = KfdTopology.read(context);
        Catalogue catalogue = new Catalogue(context);
        List<GpuPackage> packages = GpuPackage.join(topology.gpus(), AmdCard.list(context));
        GpuProfiles profiles = new GpuProfiles(context, topology, catalogue, report::add);
        List<AcceleratorProfile> gpus = new ArrayList<>();
        for (int i = 0; i < packages.size(); i++) {
            gpus.add(profiles.of(packages.get(i), i));
        }
        GpuLoad load = new GpuLoad(context, packages, report::add);
        AmdTools tools = new AmdTools(context, report);
        List<AcceleratorProfile> asked = askTools(context, tools, catalogue, gpus, report);
        List<AcceleratorProfile> joined =
                joined(context, topology, packages, tools, new XgmiFabric(catalogue, report, asked), asked);
        for (int i = 0; i < joined.size(); i++) {
            if (i < packages.size()) {
                addWithLoad(load, topology, packages.get(i), joined.get(i), report);
            } else {
                report.add(joined.get(i));
            }
        }
        return report.build();
    }

    private static void addWithLoad(
            GpuLoad load,
            KfdTopology topology,
            GpuPackage gpu,
            AcceleratorProfile whole,
            ProbeReport.ReportBuilder report) {
        report.add(load.complete(whole, gpu));
        List<AcceleratorProfile> partitions = new NodeFacts(topology, gpu).partitions(whole);
        for (int i = 0; i < partitions.size(); i++) {
            report.add(load.complete(partitions.get(i), gpu.nodes().get(i)));
        }
    }

    private static List<AcceleratorProfile> askTools(
            ProbeContext context,
            AmdTools tools,
            Catalogue catalogue,
            List<AcceleratorProfile> gpus,
            ProbeReport.ReportBuilder report) {
        if (gpus.isEmpty()) {
            return hidesHardware(context) ? renumbered(tools.ask(), catalogue) : List.of();
        }
        return gpus.stream().anyMatch(RocmProbe::isIncomplete)
                ? ToolMerge.complete(gpus, tools.ask(), report::add)
                : gpus;
    }

    private static boolean isIncomplete(AcceleratorProfile gpu) {
        return gpu.available() && (!gpu.memory().isKnown() || !gpu.deviceName().isKnown());
    }

    /// Numbers of tools have holes where partitions were left out.
    private static List<AcceleratorProfile> renumbered(List<AcceleratorProfile> answers, Catalogue catalogue) {
        List<AcceleratorProfile> gpus = new ArrayList<>();
        for (AcceleratorProfile answer : answers) {
            AcceleratorProfile gpu = answer.toBuilder()
                    .accelerator(AcceleratorType.of(AcceleratorKind.ROCM_GPU, gpus.size()))
                    .build();
            gpus.add(catalogue.complete(gpu, AmdModel.ANY));
        }
        return gpus;
    }

    private static List<AcceleratorProfile> joined(
            ProbeContext context,
            KfdTopology topology,
            List<GpuPackage> packages,
            AmdTools tools,
            XgmiFabric fabric,
            List<AcceleratorProfile> gpus) {
        fabric.add(topology, packages);
        boolean hasHive = gpus.stream()
                .anyMatch(gpu -> gpu.reading(DeviceFact.FABRIC_DOMAIN).isKnown());
        if (!topology.isPresent() && !hasHive && gpus.size() > 1) {
            fabric.add(tools.linkTypes());
        } else if (fabric.lacksRates()) {
            fabric.addRates(tools.xgmiPorts(), context.fromTool(AmdTools.AMD_SMI));
        }
        return fabric.finish();
    }
}
