package dev.muster.detect.single;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.detect.Backend;
import dev.muster.detect.Probe;
import dev.muster.detect.ProbeContext;
import dev.muster.detect.ProbeReport;
import dev.muster.detect.pci.PciDevice;
import dev.muster.detect.pci.PciIdentity;

/// Finds devices of which the host shows little more than that they are there.
///
/// @since 0.1
public final class NodeProbe implements Probe {
    private static final int NO_VENDOR = -1;

    private final Backend backend;
    private final String capability;
    private final int vendor;
    private final String folder;
    private final String node;

    private NodeProbe(Backend backend, String capability, int vendor, String folder, String node) {
        this.backend = backend;
        this.capability = capability;
        this.vendor = vendor;
        this.folder = folder;
        this.node = node;
    }

    /// Groq cards: nodes such as `/dev/groqA0`, each a card.
    public static NodeProbe groq() {
        return new NodeProbe(Backend.GROQ, "LPU", 0x1de0, "", "groq");
    }

    /// Samsung's NPU.
    public static NodeProbe samsung() {
        return new NodeProbe(Backend.SAMSUNG_NPU, "Exynos AI", NO_VENDOR, "/sys/class/misc/samsung_npu", "samsung_npu");
    }

    /// MediaTek's APU.
    public static NodeProbe mediaTek() {
        return new NodeProbe(Backend.MEDIATEK_APU, "MDLA", NO_VENDOR, "/sys/class/misc/mtk_apu", "mtk_mdla");
    }

    @Override
    public Backend backend() {
        return backend;
    }

    @Override
    public boolean hasSigns(ProbeContext context) {
        return context.hasNode(node)
                || (vendor != NO_VENDOR && context.pci().hasVendor(vendor))
                || (!folder.isEmpty() && context.files().exists(folder));
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.Builder report = ProbeReport.builder();
        int devices = 0;
        for (PciDevice device : context.pci().ofVendor(vendor)) {
            AcceleratorProfile.Builder profile = start(devices, context.fromFile(device.folder() + "/uevent"));
            report.add(PciIdentity.add(profile, device, context.folder(device.folder(), report::add))
                    .build());
            devices++;
        }
        if (devices == 0) {
            addNodes(context, report);
        }
        return report.build();
    }

    private void addNodes(ProbeContext context, ProbeReport.Builder report) {
        // Only cards come in numbers; a chip of the system has several nodes for its several parts.
        int cards = vendor == NO_VENDOR ? 1 : Math.max(1, countCards(context));
        boolean shown = !folder.isEmpty() && context.files().exists(folder);
        for (int i = 0; i < cards; i++) {
            report.add(start(i, context.fromFile(shown ? folder : "/dev")).build());
        }
    }

    private int countCards(ProbeContext context) {
        int cards = 0;
        for (String name : context.nodes()) {
            if (name.startsWith(node) && Character.isDigit(name.charAt(name.length() - 1))) {
                cards++;
            }
        }
        return cards;
    }

    private AcceleratorProfile.Builder start(int number, Provenance source) {
        return AcceleratorProfile.builder(AcceleratorType.of(backend.kinds().getFirst(), number))
                .with(
                        DeviceFact.MEMORY,
                        Reading.unknown(UnknownReason.NOT_SUPPORTED, "neither the driver nor a known tool tells"))
                .with(DeviceFact.COMPUTE_CAPABILITY, Reading.known(capability, source));
    }
}
