// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.intel;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Watts;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.pci.DrmCard;
import dev.muster.detect.pci.PcieLink;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.text.Amount;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Reads what the drivers i915 and xe say about one GPU in sysfs.
record IntelCardReader(ProbeContext context, Consumer<Gap> gaps) {
    static final String SHARED = "shares the host's memory";

    /// The address of every integrated Intel GPU.
    private static final PciAddress INTEGRATED = new PciAddress(0, 0, 2, 0);
    private static final double MICRO = 1e6;
    private static final long MAX_MICROWATTS = 100_000_000_000L;
    private static final long MAX_MEGAHERTZ = 100_000;

    private static final long INTEL = 0x8086;

    static boolean isIntegrated(DrmCard card) {
        return card.findAddress().filter(INTEGRATED::equals).isPresent();
    }

    AcceleratorProfile read(DrmCard card, long number) {
        AttributeFolder folder = context.folder(card.folder(), gaps);
        AttributeFolder device = folder.folder("device");
        AcceleratorProfile.ProfileBuilder profile =
                AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.INTEL_ONE_API, number));
        profile.with(DeviceFact.PCI_ID, Reading.known(card.id(), device.source("uevent")));
        profile.with(DeviceFact.KERNEL_DRIVER, Reading.known(card.driver(), device.source("uevent")));
        card.findAddress()
                .ifPresent(address ->
                        profile.with(DeviceFact.PCI_ADDRESS, Reading.known(address, device.source("uevent"))));
        profile.with(DeviceFact.NUMA_NODE, device.node("numa_node"));
        profile.with(DeviceFact.MEMORY, memory(card, folder));
        if (device.has("physfn")) {
            profile.with(DeviceFact.VIRTUALIZATION, Reading.known("virtual function", device.source("physfn")));
        }
        addClocks(profile, folder, device);
        addTiles(profile, device);
        addSensors(profile, card, device);
        slotLink(device.path()).addTo(profile);
        return profile.build();
    }

    /// The kernel's own drivers have no file for it; Intel's out-of-tree ones do.
    private Reading<Bytes> memory(DrmCard card, AttributeFolder folder) {
        if (isIntegrated(card)) {
            return Reading.notSupported(SHARED);
        }
        Reading<Bytes> whole = positive(folder.count("lmem_total_bytes"));
        if (whole.isKnown()) {
            return whole;
        }
        Reading<Bytes> tile = positive(folder.folder("device/tile0").count("physical_vram_size_bytes"));
        boolean single = !folder.has("device/tile1");
        return tile.isKnown() && single
                ? tile
                : Reading.notSupported("the driver " + card.driver() + " has no file for it");
    }

    private static Reading<Bytes> positive(Reading<Long> size) {
        return size.matches(bytes -> bytes > 0 && bytes <= Amount.MAX_MEMORY.unsigned())
                ? size.map(Bytes::of)
                : Reading.notSupported("");
    }

    /// i915 has its files at the card, xe at the first unit of the first tile; the second unit is for video.
    private static void addClocks(
            AcceleratorProfile.ProfileBuilder profile, AttributeFolder folder, AttributeFolder device) {
        AttributeFolder xe = device.folder("tile0/gt0/freq0");
        boolean isXe = xe.has("max_freq");
        Reading<Hertz> most = isXe ? clock(xe, "rp0_freq") : clock(folder, "gt_RP0_freq_mhz");
        Reading<Hertz> allowed = isXe ? clock(xe, "max_freq") : clock(folder, "gt_max_freq_mhz");
        profile.with(DeviceFact.CLOCK_MAX, most.isKnown() ? most : allowed);
        profile.with(DeviceFact.CLOCK, isXe ? clock(xe, "act_freq") : clock(folder, "gt_act_freq_mhz"));
    }

    private static Reading<Hertz> clock(AttributeFolder folder, String name) {
        return folder.reading(name, text -> Amount.count(text, MAX_MEGAHERTZ).map(Hertz::ofMegahertz));
    }

    private void addTiles(AcceleratorProfile.ProfileBuilder profile, AttributeFolder device) {
        List<String> tiles = context.files().numbered(device.path(), "tile");
        if (tiles.size() > 1) {
            profile.with(
                    DeviceFact.PARTITIONING, Reading.known(tiles.size() + " tiles", device.source(tiles.getLast())));
        }
    }

    private void addSensors(AcceleratorProfile.ProfileBuilder profile, DrmCard card, AttributeFolder device) {
        Optional<AttributeFolder> sensors = context.files().numbered(device.path() + "/hwmon", "hwmon").stream()
                .map(name -> device.folder("hwmon/" + name))
                .filter(folder -> folder.text("name").matches(card.driver()::equals))
                .findFirst();
        if (sensors.isEmpty()) {
            return;
        }
        AttributeFolder folder = sensors.get();
        // The sustained limit; newer cards have only the cap on peaks.
        Reading<Watts> sustained = watts(folder, "power1_max");
        profile.with(DeviceFact.POWER_LIMIT, sustained.isKnown() ? sustained : watts(folder, "power1_cap"));
        IntelTemperatures.add(profile, folder, context.files().names(folder.path()));
    }

    private static Reading<Watts> watts(AttributeFolder folder, String name) {
        return folder.reading(
                name,
                text -> Amount.count(text, MAX_MICROWATTS)
                        .filter(microwatts -> microwatts > 0)
                        .map(microwatts -> new Watts(microwatts / MICRO)));
    }

    /// The link between a GPU and its slot. Intel's cards carry a bridge of their own: the GPU behind it always says
    /// 2.5 GT/s and one lane, and the slot's link is that of the bridge's upper side, two steps up from the GPU.
    private PcieLink slotLink(String folder) {
        PcieLink own = PcieLink.of(context.folder(folder, gaps));
        if (!own.isSlowest()) {
            return own;
        }
        return context.files()
                .findRealPath(folder)
                .flatMap(this::findUpperSide)
                .map(PcieLink::of)
                .orElseGet(() -> PcieLink.unknown("the driver reports only the link inside the card, not the slot's"));
    }

    private Optional<AttributeFolder> findUpperSide(String gpu) {
        AttributeFolder lower = context.folder(parent(gpu), gaps);
        AttributeFolder upper = context.folder(parent(lower.path()), gaps);
        return isIntel(lower) && isIntel(upper) ? Optional.of(upper) : Optional.empty();
    }

    private static boolean isIntel(AttributeFolder bridge) {
        return bridge.has("vendor") && bridge.hex("vendor").matches(id -> id == INTEL);
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }
}
