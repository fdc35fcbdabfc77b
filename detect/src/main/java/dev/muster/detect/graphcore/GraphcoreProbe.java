// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.graphcore;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.Tool;
import dev.muster.detect.pci.PciFacts;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.tool.DeviceSearch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Finds Graphcore IPUs.
public final class GraphcoreProbe implements DeviceSearch {
    static final String NAME = "graphcore";

    static final Tool GC_INFO = Tool.of("gc-info", "/opt/poplar/bin");

    private static final int VENDOR = 0x1d95;
    private static final String NODE = "ipu";
    private static final String CAPABILITY = "IPU";

    @Override
    public boolean hasSigns(ProbeContext context) {
        return context.pci().hasVendor(VENDOR) || hasNodes(context) || context.isInstalled(GC_INFO);
    }

    /// Intel's camera units are called IPU too, and so are their drivers and nodes.
    private static boolean hasNodes(ProbeContext context) {
        return context.hasNode(NODE)
                && !nodes(context).isEmpty()
                && !context.pci()
                        .has(device -> device.driver().startsWith("intel-ipu")
                                || device.driver().startsWith("intel_ipu"));
    }

    private static List<String> nodes(ProbeContext context) {
        return context.files().numbered("/dev", NODE);
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.ReportBuilder report = ProbeReport.builder();
        TreeMap<Long, AcceleratorProfile.ProfileBuilder> devices = new TreeMap<>();
        CommandOutcome listing = context.run(GC_INFO, "-l");
        listing.findOutput().ifPresent(text -> addListed(context, report, devices, text));
        if (devices.isEmpty()) {
            addSeen(context, report, devices);
        }
        boolean mayAsk = listing instanceof CommandOutcome.Completed || listing instanceof CommandOutcome.NotFound;
        boolean described = mayAsk && describeFirst(context, report, devices);
        // A tool that describes a device but cannot list any is an old one, not a broken one.
        if (!described) {
            listing.findGap(GC_INFO.name()).ifPresent(report::add);
        }
        devices.values().forEach(device -> report.add(device.build()));
        return report.build();
    }

    private static void addListed(
            ProbeContext context,
            ProbeReport.ReportBuilder report,
            Map<Long, AcceleratorProfile.ProfileBuilder> devices,
            String text) {
        Map<Long, String> listed = GcListParser.parse(text);
        if (listed.isEmpty()) {
            report.add(new Gap.Unparsable(NAME, GC_INFO.name() + " -l lists no device"));
        }
        listed.forEach((number, domain) -> {
            AcceleratorProfile.ProfileBuilder device = start(number);
            Optional<PciAddress> address = PciAddress.find(domain);
            address.flatMap(context.pci()::find)
                    .ifPresent(found -> PciFacts.identify(device, found, context.folder(found.folder(), report::add)));
            address.ifPresent(
                    place -> device.with(DeviceFact.PCI_ADDRESS, Reading.known(place, context.fromTool(GC_INFO))));
            devices.put(number, device);
        });
    }

    private static void addSeen(
            ProbeContext context,
            ProbeReport.ReportBuilder report,
            Map<Long, AcceleratorProfile.ProfileBuilder> devices) {
        for (PciDevice device : context.pci().ofVendor(VENDOR)) {
            long number = devices.size();
            devices.put(number, PciFacts.identify(start(number), device, context.folder(device.folder(), report::add)));
        }
        if (devices.isEmpty() && hasNodes(context)) {
            for (int i = 0; i < nodes(context).size(); i++) {
                devices.put((long) i, start(i));
            }
        }
    }

    /// Only the first device is described: the others may be of another kind.
    private static boolean describeFirst(
            ProbeContext context,
            ProbeReport.ReportBuilder report,
            Map<Long, AcceleratorProfile.ProfileBuilder> devices) {
        Optional<String> output = context.run(GC_INFO, "-d", "0", "-i").findOutput();
        if (output.isEmpty()) {
            return false;
        }
        AcceleratorProfile.ProfileBuilder first = devices.computeIfAbsent(0L, GraphcoreProbe::start);
        Optional<Bytes> memory = GcListParser.parseMemory(output.get());
        if (memory.isPresent()) {
            first.with(DeviceFact.MEMORY, Reading.known(memory.get(), context.fromTool(GC_INFO)));
        } else {
            report.add(new Gap.Unparsable(NAME, GC_INFO.name() + " -d 0 -i reports no memory"));
        }
        return true;
    }

    private static AcceleratorProfile.ProfileBuilder start(long number) {
        return AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.GRAPHCORE_IPU, number))
                .with(DeviceFact.MEMORY, Reading.notSupported("only " + GC_INFO.name() + " -i reports it"))
                .with(DeviceFact.COMPUTE_CAPABILITY, Reading.known(CAPABILITY, ProbeContext.fromCatalogue("IPUs")));
    }
}
