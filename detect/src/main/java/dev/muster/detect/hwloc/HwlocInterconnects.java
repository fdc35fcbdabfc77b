package dev.muster.detect.hwloc;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Interconnect;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The fabrics of a host in the words that a detection has for them.
final class HwlocInterconnects {
    private HwlocInterconnects() {}

    /// @param profiles the devices, completed by what their links say
    static List<Interconnect> of(HwlocFabric fabric, List<AcceleratorProfile> profiles) {
        List<AcceleratorProfile> joined = profiles.stream()
                .filter(profile -> !fabric.linksOf(profile.id()).isEmpty())
                .toList();
        if (joined.isEmpty()) {
            return List.of();
        }
        return switch (fabric.kind()) {
            case NVLINK -> nvlinks(fabric, joined);
            case XGMI -> List.of(whole(Interconnect.Kind.XGMI, "XGMI", joined, joined.size() + " GPUs"));
            // There is no word for it in documents; the topology shows it.
            case XE_LINK -> List.of();
        };
    }

    private static List<Interconnect> nvlinks(HwlocFabric fabric, List<AcceleratorProfile> joined) {
        List<Interconnect> found = new ArrayList<>();
        for (AcceleratorProfile gpu : joined) {
            found.add(new Interconnect(
                    Interconnect.Kind.NVLINK,
                    gpu.id().text(),
                    gpu.reading(DeviceFact.FABRIC_BANDWIDTH),
                    gpu.reading(DeviceFact.FABRIC_LINKS).map(count -> count + " links")));
        }
        if (fabric.hasSwitch()) {
            long lanes =
                    joined.getFirst().reading(DeviceFact.FABRIC_LINKS).find().orElse(0L);
            found.add(whole(Interconnect.Kind.NVSWITCH, HwlocFabric.SWITCH.name(), joined, "NV" + lanes));
        }
        return found;
    }

    /// A fabric as a whole carries what its slowest member can send.
    private static Interconnect whole(
            Interconnect.Kind kind, String name, List<AcceleratorProfile> joined, String state) {
        Reading<Bandwidth> slowest = joined.stream()
                .map(gpu -> gpu.reading(DeviceFact.FABRIC_BANDWIDTH))
                .min(Comparator.comparing(rate -> rate.find().orElse(new Bandwidth(0))))
                .orElseThrow();
        return new Interconnect(
                kind, name + " (" + joined.size() + " GPUs)", slowest, Reading.known(state, HwlocFacts.SOURCE));
    }
}
