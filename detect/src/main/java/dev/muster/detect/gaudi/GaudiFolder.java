// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.gaudi;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.PciAddress;
import dev.muster.core.Reading;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Watts;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.pci.PciFacts;
import dev.muster.detect.pci.PcieLink;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.text.Amount;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/// Reads what the bus and the driver habanalabs say about one device. Recent drivers list it under
/// `/sys/class/accel`, older ones under `/sys/class/habanalabs`.
final class GaudiFolder {
    private static final String DRIVER = "habanalabs";
    private static final long MAX_MEGAHERTZ = 100_000;
    private static final long MAX_MILLIWATTS = 100_000_000;
    private static final double MILLI = 1000;

    private GaudiFolder() {}

    static AcceleratorProfile read(
            ProbeContext context, PciDevice device, GaudiGeneration generation, Consumer<Gap> gaps) {
        AcceleratorProfile.ProfileBuilder profile =
                AcceleratorProfile.builder(new AcceleratorType.Gaudi(0, generation));
        profile.with(DeviceFact.MEMORY, Reading.notSupported("the driver has no file for it"));
        profile.with(
                DeviceFact.COMPUTE_CAPABILITY,
                Reading.known(generation.display(), ProbeContext.fromCatalogue("PCI ids")));
        profile.available(device.driver().equals(DRIVER));
        AttributeFolder bus = context.folder(device.folder(), gaps);
        PciFacts.identify(profile, device, bus);
        PcieLink.of(bus).addTo(profile);
        findDriverFolder(context.files(), device.address())
                .map(path -> context.folder(path, gaps))
                .ifPresent(folder -> addDriverFiles(profile, folder));
        return profile.build();
    }

    private static Optional<String> findDriverFolder(HostFiles files, PciAddress address) {
        for (String name : files.numbered("/sys/class/accel", "accel")) {
            String folder = "/sys/class/accel/" + name + "/device";
            if (sitsAt(files, folder, address)) {
                return Optional.of(folder);
            }
        }
        for (String name : files.numbered("/sys/class/habanalabs", "hl")) {
            String folder = "/sys/class/habanalabs/" + name;
            if (sitsAt(files, folder, address) || sitsAt(files, folder + "/device", address)) {
                return Optional.of(folder);
            }
        }
        return Optional.empty();
    }

    private static boolean sitsAt(HostFiles files, String folder, PciAddress address) {
        return files.findText(folder + "/pci_addr", 64)
                .or(() -> files.findLinkName(folder))
                .flatMap(PciAddress::find)
                .filter(address::equals)
                .isPresent();
    }

    private static void addDriverFiles(AcceleratorProfile.ProfileBuilder profile, AttributeFolder folder) {
        Reading<String> status = folder.text("status").map(text -> text.toLowerCase(Locale.ROOT));
        profile.with(DeviceFact.HEALTH, status.map(text -> text.equals("operational") ? "ok" : text));
        if (status.matches(text -> !text.equals("operational"))) {
            profile.available(false);
        }
        profile.with(DeviceFact.DRIVER_VERSION, folder.text("driver_ver"));
        profile.with(DeviceFact.FIRMWARE_VERSION, folder.text("fw_os_ver"));
        profile.with(
                DeviceFact.CLOCK_MAX,
                folder.reading(
                        "clk_max_freq_mhz",
                        text -> Amount.count(text, MAX_MEGAHERTZ)
                                .filter(clock -> clock > 0)
                                .map(Hertz::ofMegahertz)));
        profile.with(
                DeviceFact.POWER_LIMIT,
                folder.reading(
                        "max_power",
                        text -> Amount.count(text, MAX_MILLIWATTS)
                                .filter(power -> power > 0)
                                .map(power -> new Watts(power / MILLI))));
    }
}
