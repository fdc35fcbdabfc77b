// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.intel;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.detect.normalise.ProfileMerge;
import dev.muster.detect.pci.DrmCard;
import dev.muster.detect.pci.PciFacts;
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

/// Finds Intel's GPUs, discrete and integrated: first the cards that the kernel's drivers serve, then what `xpu-smi`
/// knows beyond that. Stateless.
public final class IntelGpuProbe implements DeviceSearch {
    static final String NAME = "intel_oneapi";

    private static final int VENDOR = 0x8086;

    @Override
    public boolean hasSigns(ProbeContext context) {
        // A host that shows its cards without its bus is another program's recording.
        return context.pci().has(device -> isServed(device.driver()) || isIdle(device))
                || context.isInstalled(XpuSmi.TOOL)
                || (context.pci().devices().isEmpty() && !cards(context).isEmpty());
    }

    private static boolean isServed(String driver) {
        return driver.equals("i915") || driver.equals("xe");
    }

    /// Reports whether a known card waits for a driver; integrated GPUs without one are usual on servers.
    private static boolean isIdle(PciDevice device) {
        return device.vendor() == VENDOR
                && device.driver().isEmpty()
                && device.isDisplay()
                && IntelModel.find(device.id()).isPresent();
    }

    private static List<DrmCard> cards(ProbeContext context) {
        return DrmCard.list(context.files()).stream()
                .filter(card -> isServed(card.driver()))
                .toList();
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.ReportBuilder report = ProbeReport.builder();
        List<DrmCard> cards = cards(context);
        List<AcceleratorProfile> seen = new ArrayList<>();
        IntelCardReader reader = new IntelCardReader(context, report::add);
        cards.forEach(card -> seen.add(reader.read(card, 0)));
        context.pci().devices().stream()
                .filter(device -> (isServed(device.driver()) && device.isDisplay()) || isIdle(device))
                .filter(device -> ProfileMerge.findAt(seen, device.address()).isEmpty())
                .forEach(device -> seen.add(withoutCard(context, device, report)));
        boolean worthAsking = cards.isEmpty() || cards.stream().anyMatch(card -> !IntelCardReader.isIntegrated(card));
        List<ToolRow> told = List.of();
        XpuSmi tool = new XpuSmi(context, report::add);
        if (worthAsking && context.isInstalled(XpuSmi.TOOL)) {
            told = tool.list();
        }
        join(context, seen, told, report);
        if (told.size() > 1) {
            tool.findTopology().ifPresent(new XeLinks(context, told, report)::add);
        }
        return report.build();
    }

    private static AcceleratorProfile withoutCard(
            ProbeContext context, PciDevice device, ProbeReport.ReportBuilder report) {
        return PciFacts.identify(
                        AcceleratorProfile.builder(type(0)), device, context.folder(device.folder(), report::add))
                .with(DeviceFact.MEMORY, Reading.notSupported("the bus does not report it"))
                .build();
    }

    /// Devices have the tool's numbers where it knows them, and free ones otherwise.
    private static void join(
            ProbeContext context, List<AcceleratorProfile> seen, List<ToolRow> told, ProbeReport.ReportBuilder report) {
        Set<Long> numbers = new HashSet<>();
        List<AcceleratorProfile> rest = new ArrayList<>(seen);
        for (ToolRow device : told) {
            if (!numbers.add(device.number())) {
                continue;
            }
            AcceleratorProfile profile = XpuSmi.profile(device, context.fromTool(XpuSmi.TOOL));
            Optional<AcceleratorProfile> same =
                    device.findAddress("pci_bdf_address").flatMap(address -> ProfileMerge.findAt(rest, address));
            same.ifPresent(rest::remove);
            report.add(IntelModel.complete(same.map(
                            card -> ProfileMerge.merge(numbered(card, device.number()), profile, report::add))
                    .orElse(profile)));
        }
        long next = 0;
        for (AcceleratorProfile profile : rest) {
            while (numbers.contains(next)) {
                next++;
            }
            report.add(IntelModel.complete(numbered(profile, next++)));
        }
    }

    private static AcceleratorProfile numbered(AcceleratorProfile profile, long number) {
        return profile.toBuilder().accelerator(type(number)).build();
    }

    static AcceleratorType type(long number) {
        return AcceleratorType.of(AcceleratorKind.INTEL_ONE_API, number);
    }
}
