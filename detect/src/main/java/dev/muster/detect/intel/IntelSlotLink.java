package dev.muster.detect.intel;

import dev.muster.core.Gap;
import dev.muster.detect.host.AttributeFolder;
import dev.muster.detect.pci.PcieLink;
import dev.muster.detect.probe.ProbeContext;
import java.util.Optional;
import java.util.function.Consumer;

/// Finds the link between a GPU and its slot. Intel's cards carry a bridge of their own: the GPU behind it always says
/// 2.5 GT/s and one lane, and the slot's link is that of the bridge's upper side, two steps up from the GPU.
final class IntelSlotLink {
    private static final long INTEL = 0x8086;

    private final ProbeContext context;
    private final Consumer<Gap> gaps;

    IntelSlotLink(ProbeContext context, Consumer<Gap> gaps) {
        this.context = context;
        this.gaps = gaps;
    }

    /// The link of the GPU in a folder of sysfs.
    PcieLink find(String folder) {
        PcieLink own = PcieLink.of(context.folder(folder, gaps));
        if (!own.isSlowest()) {
            return own;
        }
        return context.files()
                .findRealPath(folder)
                .flatMap(this::findUpperSide)
                .map(PcieLink::of)
                .orElseGet(() -> PcieLink.unknown("only the link inside the card is told, not the slot's"));
    }

    private Optional<AttributeFolder> findUpperSide(String gpu) {
        AttributeFolder lower = context.folder(parent(gpu), gaps);
        AttributeFolder upper = context.folder(parent(lower.path()), gaps);
        return isIntel(lower) && isIntel(upper) ? Optional.of(upper) : Optional.empty();
    }

    private static boolean isIntel(AttributeFolder bridge) {
        return bridge.has("vendor")
                && bridge.hex("vendor").find().filter(id -> id == INTEL).isPresent();
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }
}
