// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.qualcomm;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.Tool;
import dev.muster.detect.normalise.ProfileMerge;
import dev.muster.detect.pci.PciFacts;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.tool.DeviceSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Finds Qualcomm Cloud AI 100 devices: one for each chip, of which a card may have several.
public final class QualcommProbe implements DeviceSearch {
    static final String NAME = "qualcomm";

    static final Tool QAIC_UTIL = Tool.of("qaic-util", "/opt/qti-aic/tools");

    private static final int VENDOR = 0x17cb;
    /// The mainline qaic driver's ids (2026-11).
    private static final int AI_100 = 0xa100;

    private static final int AI_080 = 0xa080;
    private static final String DRIVER = "qaic";
    private static final String CLASS = "/sys/class/qaic";
    private static final String NODE = "qaic_";
    private static final String CAPABILITY = "AI 100";

    @Override
    public boolean hasSigns(ProbeContext context) {
        return context.pci().has(QualcommProbe::isCloudAi)
                || context.hasNode(NODE)
                || context.files().exists(CLASS);
    }

    private static boolean isCloudAi(PciDevice device) {
        return device.vendor() == VENDOR
                && (device.device() == AI_100
                        || device.device() == AI_080
                        || device.driver().equals(DRIVER));
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.ReportBuilder report = ProbeReport.builder();
        List<AcceleratorProfile> seen = seen(context, report);
        List<AcceleratorProfile> told = told(context, report);
        for (int i = 0; i < seen.size(); i++) {
            AcceleratorProfile device = seen.get(i);
            Optional<AcceleratorProfile> same = findSame(device, told, seen.size());
            report.add(
                    same.isPresent()
                            ? ProfileMerge.merge(device, same.get(), report::add).toBuilder()
                                    .available(same.get().available())
                                    .build()
                            : device);
        }
        return report.build();
    }

    /// The tool's device at the same address; without addresses, the only one.
    private static Optional<AcceleratorProfile> findSame(
            AcceleratorProfile device, List<AcceleratorProfile> told, int devices) {
        Optional<AcceleratorProfile> same = told.stream()
                .filter(other -> other.reading(DeviceFact.PCI_ADDRESS).isKnown()
                        && other.reading(DeviceFact.PCI_ADDRESS)
                                .find()
                                .equals(device.reading(DeviceFact.PCI_ADDRESS).find()))
                .findFirst();
        return same.isEmpty() && devices == 1 && told.size() == 1 ? Optional.of(told.getFirst()) : same;
    }

    private static List<AcceleratorProfile> seen(ProbeContext context, ProbeReport.ReportBuilder report) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        for (PciDevice device : context.pci().ofVendor(VENDOR)) {
            if (isCloudAi(device)) {
                devices.add(
                        PciFacts.identify(start(devices.size()), device, context.folder(device.folder(), report::add))
                                .build());
            }
        }
        if (devices.isEmpty()) {
            // The driver's folder alone still says that there is a device.
            int nodes = Math.max(
                    (int) context.nodes().stream()
                            .filter(QualcommProbe::isDevice)
                            .count(),
                    Math.max(context.files().names(CLASS).size(), 1));
            for (int i = 0; i < nodes; i++) {
                devices.add(start(i).build());
            }
        }
        return devices;
    }

    /// A node such as `qaic_aic100_0`.
    private static boolean isDevice(String node) {
        return node.startsWith(NODE) && Character.isDigit(node.charAt(node.length() - 1));
    }

    private static AcceleratorProfile.ProfileBuilder start(int number) {
        Reading<Bytes> memory =
                Reading.notSupported("the driver does not report it, but " + QAIC_UTIL.name() + " does");
        return AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.QUALCOMM_AI100, number))
                .with(DeviceFact.MEMORY, memory)
                .with(DeviceFact.COMPUTE_CAPABILITY, Reading.known(CAPABILITY, ProbeContext.fromCatalogue("PCI ids")));
    }

    private static List<AcceleratorProfile> told(ProbeContext context, ProbeReport.ReportBuilder report) {
        Optional<String> text = context.ask(QAIC_UTIL, report::add, "-q");
        List<AcceleratorProfile> devices = QaicUtilParser.parse(text.orElse(""), context.fromTool(QAIC_UTIL));
        if (text.isPresent() && devices.isEmpty()) {
            report.add(new Gap.Unparsable(NAME, QAIC_UTIL.name() + " -q lists no device"));
        }
        return devices;
    }
}
