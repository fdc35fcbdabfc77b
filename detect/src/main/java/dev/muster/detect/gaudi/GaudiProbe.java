// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.gaudi;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.Gap;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.PciAddress;
import dev.muster.detect.normalise.ProfileMerge;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.tool.DeviceSearch;
import dev.muster.detect.tool.ToolRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Finds Gaudi accelerators: on the PCI bus, with what the driver says about them, and through `hl-smi`. Stateless.
public final class GaudiProbe implements DeviceSearch {
    static final String NAME = "gaudi";

    @Override
    public boolean hasSigns(ProbeContext context) {
        return context.pci().hasVendor(GaudiProducts.VENDOR) || context.isInstalled(HlSmi.TOOL);
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.ReportBuilder report = ProbeReport.builder();
        List<AcceleratorProfile> seen = new ArrayList<>();
        for (PciDevice device : context.pci().ofVendor(GaudiProducts.VENDOR)) {
            GaudiProducts.findById(device.device())
                    .ifPresent(generation -> seen.add(GaudiFolder.read(context, device, generation, report::add)));
        }
        List<ToolRow> told = List.of();
        if (context.isInstalled(HlSmi.TOOL)) {
            told = new HlSmi(context, report::add).list(!seen.isEmpty());
        }
        join(context, seen, told, report);
        return report.build();
    }

    /// Devices have the tool's numbers, which do not follow the bus, where it knows them.
    private static void join(
            ProbeContext context, List<AcceleratorProfile> seen, List<ToolRow> told, ProbeReport.ReportBuilder report) {
        Set<Long> numbers = new HashSet<>();
        List<AcceleratorProfile> rest = new ArrayList<>(seen);
        int placeless = 0;
        for (ToolRow device : told) {
            if (!numbers.add(device.number())) {
                continue;
            }
            Optional<PciAddress> address = device.findAddress("bus_id");
            placeless += address.isEmpty() ? 1 : 0;
            Optional<AcceleratorProfile> same = address.flatMap(place -> ProfileMerge.findAt(rest, place));
            same.ifPresent(rest::remove);
            Optional<GaudiGeneration> generation =
                    device.find("name").flatMap(GaudiProducts::findByName).or(() -> same.map(GaudiProbe::generationOf));
            if (generation.isEmpty()) {
                report.add(new Gap.Unparsable(
                        NAME,
                        "hl-smi calls device " + device.number() + " '"
                                + device.find("name").orElse("") + "', which is not a known product"));
                continue;
            }
            AcceleratorProfile profile = HlSmi.profile(device, generation.get(), context.fromTool(HlSmi.TOOL));
            report.add(same.map(bus ->
                            ProfileMerge.merge(numbered(bus, device.number(), generation.get()), profile, report::add))
                    .orElse(profile));
        }
        addUnlisted(rest, placeless, numbers, report);
    }

    /// Devices on the bus that the tool did not place. Those that it listed without a place are among them.
    private static void addUnlisted(
            List<AcceleratorProfile> rest, int placeless, Set<Long> numbers, ProbeReport.ReportBuilder report) {
        if (placeless > 0) {
            if (placeless != rest.size() && !rest.isEmpty()) {
                report.add(new Gap.Conflict(
                        NAME, "hl-smi lists " + placeless + " devices, but the PCI bus has " + rest.size()));
            }
            return;
        }
        long next = 0;
        for (AcceleratorProfile profile : rest) {
            while (numbers.contains(next)) {
                next++;
            }
            report.add(numbered(profile, next++, generationOf(profile)));
        }
    }

    private static GaudiGeneration generationOf(AcceleratorProfile profile) {
        return ((AcceleratorType.Gaudi) profile.accelerator()).generation();
    }

    private static AcceleratorProfile numbered(AcceleratorProfile profile, long number, GaudiGeneration generation) {
        return profile.toBuilder()
                .accelerator(new AcceleratorType.Gaudi(number, generation))
                .build();
    }
}
