// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.pci.PciFacts;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.tool.DeviceSearch;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Finds the XDNA NPUs of AMD's processors. They have no memory of their own, and nothing tells how much of the host's
/// they may use.
public final class XdnaProbe implements DeviceSearch {

    private static final int AMD = 0x1022;
    private static final int PHOENIX = 0x1502;
    private static final int STRIX = 0x17f0;
    private static final String DRIVER = "amdxdna";
    private static final String ACCEL = "/sys/class/accel";
    private static final String PREFIX = "accel";
    private static final int MAX_NUMBER = 1024;

    @Override
    public boolean hasSigns(ProbeContext context) {
        for (String name : context.files().numbered(ACCEL, PREFIX)) {
            if (isDriven(context, name)) {
                return true;
            }
        }
        return context.pci().has(XdnaProbe::isNpu);
    }

    private static boolean isNpu(PciDevice device) {
        return device.vendor() == AMD && (device.device() == PHOENIX || device.device() == STRIX);
    }

    private static boolean isDriven(ProbeContext context, String name) {
        return context.files()
                .findLinkName(ACCEL + "/" + name + "/device/driver")
                .filter(DRIVER::equals)
                .isPresent();
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.ReportBuilder report = ProbeReport.builder();
        Set<PciAddress> seen = new HashSet<>();
        Set<Long> taken = new HashSet<>();
        for (String name : context.files().numbered(ACCEL, PREFIX)) {
            Optional<Long> number =
                    AmdText.whole(name.substring(PREFIX.length())).filter(value -> value < MAX_NUMBER);
            if (number.isPresent() && isDriven(context, name)) {
                AcceleratorProfile npu = driven(context, name, number.get(), report);
                npu.reading(DeviceFact.PCI_ADDRESS).find().ifPresent(seen::add);
                taken.add(number.get());
                report.add(npu);
            }
        }
        for (PciDevice device : context.pci().devices()) {
            if (isNpu(device) && !seen.contains(device.address())) {
                long number = 0;
                while (!taken.add(number)) {
                    number++;
                }
                report.add(undriven(context, device, number, report));
            }
        }
        return report.build();
    }

    private static AcceleratorProfile driven(
            ProbeContext context, String name, long number, ProbeReport.ReportBuilder report) {
        AttributeFolder folder = context.folder(ACCEL + "/" + name + "/device", report::add);
        Provenance driver = context.fromFile(folder.path() + "/driver");
        Reading<Integer> vendor = folder.reading("vendor", AmdText::hex16);
        Reading<Integer> device = folder.reading("device", AmdText::hex16);
        AcceleratorProfile.ProfileBuilder npu = start(number)
                .with(DeviceFact.KERNEL_DRIVER, Reading.known(DRIVER, driver))
                .with(DeviceFact.PCI_ADDRESS, address(context, folder.path()))
                .with(
                        DeviceFact.PCI_ID,
                        device.map(id -> PciDevice.id(vendor.find().orElse(AMD), id)))
                .with(DeviceFact.FIRMWARE_VERSION, folder.text("fw_version"))
                .with(
                        DeviceFact.DRIVER_VERSION,
                        context.folder("/sys/module/" + DRIVER, report::add).text("version"))
                .with(DeviceFact.NUMA_NODE, folder.node("numa_node"));
        device.find().ifPresent(id -> addModel(context, npu, id, folder));
        return npu.build();
    }

    /// A device whose driver is missing cannot be used.
    private static AcceleratorProfile undriven(
            ProbeContext context, PciDevice device, long number, ProbeReport.ReportBuilder report) {
        AttributeFolder folder = context.folder(device.folder(), report::add);
        boolean driven = device.driver().equals(DRIVER);
        AcceleratorProfile.ProfileBuilder npu =
                PciFacts.identify(start(number), device, folder).available(driven);
        if (!driven) {
            npu.with(
                    DeviceFact.HEALTH,
                    Reading.known("the driver " + DRIVER + " does not serve it", folder.source("uevent")));
        }
        addModel(context, npu, device.device(), folder);
        return npu.build();
    }

    private static boolean hasGpu(ProbeContext context, int device) {
        return context.pci().has(gpu -> gpu.vendor() == AmdCard.VENDOR && gpu.device() == device);
    }

    private static AcceleratorProfile.ProfileBuilder start(long number) {
        return AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.AMD_XDNA_NPU, number))
                .with(DeviceFact.MEMORY, Reading.notSupported("the NPU uses the host's memory"));
    }

    /// The folder of a PCI device is named for its address.
    private static Reading<PciAddress> address(ProbeContext context, String folder) {
        return context.files()
                .findRealPath(folder)
                .flatMap(path -> PciAddress.find(path.substring(path.lastIndexOf('/') + 1)))
                .map(address -> Reading.known(address, context.fromFile(folder)))
                .orElse(Reading.notProbed());
    }

    /// Names by PCI id, from the PCI id list. Later processors kept the id of Strix: the revision tells them apart (the
    /// kernel's table of amdxdna, 2026-11), else the GPU of the same processor does.
    private static void addModel(
            ProbeContext context, AcceleratorProfile.ProfileBuilder npu, int device, AttributeFolder folder) {
        Provenance source = ProbeContext.fromCatalogue("AMD NPUs by PCI id");
        String processor =
                switch (folder.reading("revision", AmdText::hex16).find().orElse(AmdModel.ANY)) {
                    case 0x10 -> "Strix";
                    case 0x11 -> "Strix Halo";
                    case 0x20 -> "Krackan";
                    default ->
                        hasGpu(context, 0x1586) ? "Strix Halo" : hasGpu(context, 0x150e) ? "Strix" : "Strix or Krackan";
                };
        List<String> texts = switch (device) {
            case PHOENIX -> List.of("AMD Ryzen AI NPU (Phoenix)", "XDNA");
            case STRIX -> List.of("AMD Ryzen AI NPU (" + processor + ")", "XDNA 2");
            default -> List.of();
        };
        if (!texts.isEmpty()) {
            npu.with(DeviceFact.DEVICE_NAME, Reading.known(texts.getFirst(), source))
                    .with(DeviceFact.ARCHITECTURE, Reading.known(texts.getLast(), source));
        }
    }
}
