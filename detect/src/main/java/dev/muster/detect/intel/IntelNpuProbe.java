// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.intel;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.core.unit.Hertz;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.pci.PciFacts;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.text.Amount;
import dev.muster.detect.tool.DeviceSearch;
import java.util.List;

/// Finds Intel's NPUs: accelerators of known ids on the PCI bus, and what the driver intel_vpu says about them.
/// Stateless.
public final class IntelNpuProbe implements DeviceSearch {

    private static final String ACCEL = "/sys/class/accel";
    /// The folder that ai-hwaccel reads; the kernel's own driver makes no such folder.
    private static final String OTHER = "/sys/class/misc/intel_npu";
    private static final String DRIVER = "intel_vpu";
    private static final int INTEL = 0x8086;
    private static final long MAX_MEGAHERTZ = 100_000;

    @Override
    public boolean hasSigns(ProbeContext context) {
        return context.pci().has(IntelNpuProbe::isNpu)
                || context.files().exists(OTHER)
                || (context.pci().devices().isEmpty() && !accelNames(context).isEmpty());
    }

    private static boolean isNpu(PciDevice device) {
        return device.driver().equals(DRIVER)
                || (device.vendor() == INTEL && !architectureOf(device.device()).isEmpty());
    }

    /// The processors that carry the NPU. The ids are those of the kernel's driver (drivers/accel/ivpu, Linux 6.15).
    private static String architectureOf(int device) {
        return switch (device) {
            case 0x7d1d -> "Meteor Lake";
            case 0xad1d -> "Arrow Lake";
            case 0x643e -> "Lunar Lake";
            case 0xb03e -> "Panther Lake";
            default -> "";
        };
    }

    private static List<String> accelNames(ProbeContext context) {
        return context.files().numbered(ACCEL, "accel").stream()
                .filter(name -> context.files()
                        .findLinkName(ACCEL + "/" + name + "/device/driver")
                        .filter(DRIVER::equals)
                        .isPresent())
                .toList();
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.ReportBuilder report = ProbeReport.builder();
        for (PciDevice device : context.pci().devices()) {
            if (isNpu(device)) {
                report.add(onBus(context, device, report));
            }
        }
        if (report.profiles().isEmpty()) {
            for (String name : accelNames(context)) {
                AcceleratorProfile.ProfileBuilder npu = start(report);
                addDriverFiles(npu, context.folder(ACCEL + "/" + name + "/device", report::add));
                npu.with(
                        DeviceFact.KERNEL_DRIVER,
                        Reading.known(DRIVER, context.fromFile(ACCEL + "/" + name + "/device/driver")));
                report.add(npu.build());
            }
        }
        if (report.profiles().isEmpty() && context.files().exists(OTHER)) {
            report.add(start(report).build());
        }
        return report.build();
    }

    private static AcceleratorProfile.ProfileBuilder start(ProbeReport.ReportBuilder report) {
        long number = report.profiles().size();
        return AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.INTEL_NPU, number))
                .with(DeviceFact.MEMORY, Reading.notSupported(IntelCardReader.SHARED));
    }

    private static AcceleratorProfile onBus(ProbeContext context, PciDevice device, ProbeReport.ReportBuilder report) {
        AcceleratorProfile.ProfileBuilder npu = start(report);
        AttributeFolder folder = context.folder(device.folder(), report::add);
        PciFacts.identify(npu, device, folder).available(device.driver().equals(DRIVER));
        String architecture = architectureOf(device.device());
        if (!architecture.isEmpty()) {
            npu.with(DeviceFact.ARCHITECTURE, Reading.known(architecture, ProbeContext.fromCatalogue("PCI ids")));
        }
        addDriverFiles(npu, folder);
        return npu.build();
    }

    private static void addDriverFiles(AcceleratorProfile.ProfileBuilder npu, AttributeFolder device) {
        npu.with(DeviceFact.MEMORY_USED, device.bytes("npu_memory_utilization"));
        npu.with(DeviceFact.CLOCK, clock(device, "npu_current_frequency_mhz"));
        npu.with(DeviceFact.CLOCK_MAX, clock(device, "npu_max_frequency_mhz"));
        npu.with(DeviceFact.NUMA_NODE, device.node("numa_node"));
    }

    private static Reading<Hertz> clock(AttributeFolder device, String name) {
        return device.reading(name, text -> Amount.count(text, MAX_MEGAHERTZ).map(Hertz::ofMegahertz));
    }
}
