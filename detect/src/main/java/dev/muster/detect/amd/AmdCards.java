package dev.muster.detect.amd;

import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.detect.host.AttributeFolder;
import dev.muster.detect.host.FileOutcome;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.ProbeContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/// Lists AMD's GPUs as the graphics driver and the PCI bus show them.
///
/// Cards of the driver `radeon` are older than ROCm. They are left to the backends that see any GPU, such as Vulkan's.
final class AmdCards {
    static final int VENDOR = 0x1002;
    static final String DRIVER = "amdgpu";

    private static final String DRM = "/sys/class/drm";
    private static final String OLD_DRIVER = "radeon";
    private static final int MAX_CARDS = 1024;
    private static final int MAX_UEVENT = 4096;

    private AmdCards() {}

    /// Whether the graphics driver shows such a card. Folders such as `card1-DP-1` are connectors.
    static boolean hasCard(HostFiles files) {
        for (String name : files.numbered(DRM, "card")) {
            if (driver(files, DRM + "/" + name + "/device").equals(DRIVER)) {
                return true;
            }
        }
        return false;
    }

    /// All cards by number, then what only the PCI bus shows.
    static List<AmdCard> list(ProbeContext context, Consumer<Gap> gaps) {
        List<AmdCard> cards = new ArrayList<>();
        for (String name : context.files().numbered(DRM, "card")) {
            String folder = DRM + "/" + name + "/device";
            if (cards.size() < MAX_CARDS && driver(context.files(), folder).equals(DRIVER)) {
                cards.add(card(context.folder(folder, gaps), context.fromFile(folder + "/driver")));
            }
        }
        for (PciDevice device : context.pci().ofVendor(VENDOR)) {
            if (cards.size() < MAX_CARDS && isForRocm(device) && cards.stream().noneMatch(card -> isAt(card, device))) {
                cards.add(card(context, device));
            }
        }
        return cards;
    }

    /// The kernel links a device to its driver; trees that were recorded by others may say it only in `uevent`.
    private static String driver(HostFiles files, String folder) {
        Optional<String> link = files.findLinkName(folder + "/driver");
        return link.isPresent()
                ? link.get()
                : files.read(folder + "/uevent", MAX_UEVENT) instanceof FileOutcome.Content(String text)
                        ? line(text, "DRIVER=").orElse("")
                        : "";
    }

    private static AmdCard card(AttributeFolder folder, Provenance driver) {
        Reading<PciAddress> address =
                folder.reading("uevent", text -> line(text, "PCI_SLOT_NAME=").flatMap(PciAddress::find));
        Reading<String> id =
                folder.reading("uevent", text -> line(text, "PCI_ID=").map(value -> value.toLowerCase(Locale.ROOT)));
        if (!id.isKnown()) {
            Reading<Integer> vendor = folder.reading("vendor", AmdText::hex16);
            id = folder.reading(
                    "device",
                    text -> vendor.find()
                            .flatMap(first -> AmdText.hex16(text).map(second -> AmdText.pciId(first, second))));
        }
        return new AmdCard(folder.path(), address, id, Reading.known(DRIVER, driver));
    }

    private static AmdCard card(ProbeContext context, PciDevice device) {
        Provenance source = context.fromFile(device.folder());
        return new AmdCard(
                device.folder(),
                Reading.known(device.address(), source),
                Reading.known(device.id(), source),
                device.driver().isEmpty()
                        ? Reading.notSupported("no driver serves the device")
                        : Reading.known(device.driver(), source));
    }

    /// A device that no driver serves counts if it can only be meant for computing, or is known to be able to.
    private static boolean isForRocm(PciDevice device) {
        if (device.driver().equals(DRIVER) || device.driver().equals(OLD_DRIVER)) {
            return device.driver().equals(DRIVER);
        }
        boolean known = AmdModels.find(device.device()).isPresent();
        return device.isAccelerator() || (device.isDisplay() && known);
    }

    private static boolean isAt(AmdCard card, PciDevice device) {
        return card.address().find().filter(device.address()::equals).isPresent();
    }

    private static Optional<String> line(String text, String key) {
        for (String line : text.split("\n")) {
            if (line.startsWith(key)) {
                return Optional.of(line.substring(key.length()).strip());
            }
        }
        return Optional.empty();
    }
}
