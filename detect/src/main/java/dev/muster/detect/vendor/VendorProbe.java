// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vendor;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.Tool;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.tool.DeviceSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Finds the devices of one vendor: by its PCI id or its driver's nodes, and, where the form of its answer is known, by
/// its tool.
///
/// @param row the vendor
public record VendorProbe(VendorRow row) implements DeviceSearch {
    @Override
    public boolean hasSigns(ProbeContext context) {
        if (context.pci().has(this::isOfRow)
                || hasNodes(context)
                || (!row.chipFolder.isEmpty() && context.files().exists(row.chipFolder))) {
            return true;
        }
        for (Tool tool : row.signs) {
            if (context.isInstalled(tool)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasNodes(ProbeContext context) {
        if (row.nodeFolder.isEmpty()) {
            return false;
        }
        return row.nodeFolder.equals("/dev")
                ? context.hasNode(row.nodePrefix)
                : context.files().exists(row.nodeFolder);
    }

    /// The vendor's other devices are bridges, network cards, sound and displays.
    private boolean isOfRow(PciDevice device) {
        if (device.vendor() != row.vendor) {
            return false;
        }
        return row.acceleratorsOnly
                || device.isAccelerator()
                || (device.isDisplay() && row.kind.family() == AcceleratorFamily.GPU)
                || VendorModels.find(device.vendor(), device.device()).isPresent();
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.ReportBuilder report = ProbeReport.builder();
        VendorDevices devices = new VendorDevices(context, report, row);
        List<PciDevice> bus =
                context.pci().devices().stream().filter(this::isOfRow).toList();
        Reading<List<AcceleratorProfile>> told = ask(context, report);
        for (AcceleratorProfile device : devices.join(bus, told.find().orElse(List.of()))) {
            report.add(complete(device, told));
        }
        return report.build();
    }

    private Reading<List<AcceleratorProfile>> ask(ProbeContext context, ProbeReport.ReportBuilder report) {
        Optional<Tool> tool = row.tools.stream().filter(context::isInstalled).findFirst();
        if (row.format == ToolFormat.NONE || tool.isEmpty()) {
            return row.format == ToolFormat.NONE
                    ? Reading.notSupported("neither the driver nor a known tool reports it")
                    : Reading.unknown(
                            UnknownReason.NOT_INSTALLED, row.tools.getFirst().name() + " is not installed");
        }
        String name = tool.get().name();
        Reading<List<AcceleratorProfile>> answer = Reading.unknown(UnknownReason.UNREADABLE, name + " failed");
        List<Gap> gaps = new ArrayList<>();
        for (List<String> question : row.format.questions()) {
            CommandOutcome outcome = context.run(tool.get(), question.toArray(String[]::new));
            if (outcome instanceof CommandOutcome.Expired) {
                outcome.findGap(name).ifPresent(report::add);
                return Reading.unknown(UnknownReason.TIMED_OUT, name + " did not answer in time");
            }
            outcome.findGap(name).ifPresent(gaps::add);
            Optional<String> output = outcome.findOutput();
            if (output.isEmpty()) {
                continue;
            }
            List<AcceleratorProfile> devices = row.format.parse(output.get(), row.kind, context.fromTool(tool.get()));
            if (!devices.isEmpty()) {
                return Reading.known(devices, context.fromTool(tool.get()));
            }
            gaps.add(new Gap.Unparsable(row.name, name + " lists no device in a known form"));
            answer = Reading.unknown(UnknownReason.UNREADABLE, name + " lists no device");
        }
        gaps.forEach(report::add);
        return answer;
    }

    /// Adds what tables of known devices tell, and says why the rest is not known.
    private AcceleratorProfile complete(AcceleratorProfile device, Reading<List<AcceleratorProfile>> told) {
        AcceleratorProfile.ProfileBuilder completed = device.toBuilder();
        if (!device.memory().isKnown()) {
            completed.with(DeviceFact.MEMORY, memory(device, told));
        }
        Optional<String> model = device.reading(DeviceFact.PCI_ID).find().flatMap(VendorProbe::findModel);
        if (model.isPresent()) {
            Reading<String> name = Reading.known(model.get(), ProbeContext.fromCatalogue("PCI ids"));
            boolean isChip = row.kind == AcceleratorKind.TENSTORRENT;
            if (isChip) {
                completed.with(DeviceFact.ARCHITECTURE, name);
            } else if (!device.deviceName().isKnown()) {
                completed.with(DeviceFact.DEVICE_NAME, name);
            }
        }
        return completed.build();
    }

    private Reading<Bytes> memory(AcceleratorProfile device, Reading<List<AcceleratorProfile>> told) {
        Optional<Bytes> known = row.kind == AcceleratorKind.TENSTORRENT
                ? device.deviceName().find().flatMap(VendorModels::findMemory)
                : Optional.empty();
        if (known.isPresent()) {
            return Reading.known(known.get(), ProbeContext.fromCatalogue("Tenstorrent boards"));
        }
        return switch (told) {
            case Reading.Known<List<AcceleratorProfile>>(var _, var source) ->
                Reading.notSupported(source.source() + " does not report it");
            case Reading.Unknown<List<AcceleratorProfile>>(UnknownReason reason, String detail) ->
                Reading.unknown(reason, detail);
        };
    }

    private static Optional<String> findModel(String pciId) {
        return VendorModels.find(Integer.parseInt(pciId.substring(0, 4), 16), Integer.parseInt(pciId.substring(5), 16));
    }
}
