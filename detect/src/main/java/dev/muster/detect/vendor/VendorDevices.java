// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vendor;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.core.Reading;
import dev.muster.core.unit.Hertz;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.normalise.ProfileMerge;
import dev.muster.detect.pci.PciFacts;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Makes one list of what the bus, the driver's nodes and the tool show of one vendor. Confined to one thread.
record VendorDevices(ProbeContext context, ProbeReport.ReportBuilder report, VendorRow row) {
    private static final String TENSTORRENT = "/sys/class/tenstorrent";
    private static final int MAX_DIGITS = 4;
    private static final long MAX_MEGAHERTZ = 100_000;

    /// The devices.
    ///
    /// @param bus those of the PCI bus
    /// @param told those that the tool lists; none where it does not tell
    List<AcceleratorProfile> join(List<PciDevice> bus, List<AcceleratorProfile> told) {
        if (told.isEmpty()) {
            return seen(bus);
        }
        boolean placed = told.stream()
                .anyMatch(device -> device.reading(DeviceFact.PCI_ADDRESS).isKnown());
        return placed ? joinByAddress(bus, told) : joinByCount(bus, told);
    }

    private List<AcceleratorProfile> seen(List<PciDevice> bus) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        Set<Long> nodes = row.chipFolder.isEmpty() ? nodes() : Set.of(0L);
        if (nodes.isEmpty() && bus.isEmpty() && row.acceleratorsOnly) {
            nodes = Set.of(0L); // a node without a number
        }
        // A card with two chips may be one function with two nodes.
        if (nodes.size() > bus.size()) {
            for (long number : nodes) {
                devices.add(shared(start(number, nodeSource()), bus).build());
            }
            return devices;
        }
        for (PciDevice device : bus) {
            devices.add(describe(devices.size(), device));
        }
        return devices;
    }

    /// Several dies may share an address; each of them is described by it.
    private List<AcceleratorProfile> joinByAddress(List<PciDevice> bus, List<AcceleratorProfile> told) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        Set<PciAddress> found = new HashSet<>();
        long next = 0;
        for (AcceleratorProfile device : told) {
            next = Math.max(next, device.accelerator().deviceId() + 1);
            Optional<PciDevice> place =
                    device.reading(DeviceFact.PCI_ADDRESS).find().flatMap(context.pci()::find);
            place.ifPresent(known -> found.add(known.address()));
            devices.add(
                    place.isPresent()
                            ? ProfileMerge.merge(
                                    describe(device.accelerator().deviceId(), place.get()), device, report::add)
                            : device);
        }
        for (PciDevice device : bus) {
            if (!found.contains(device.address())) {
                devices.add(describe(next, device));
                report.add(new Gap.Conflict(
                        devices.getLast().id().text(), "it is on the PCI bus, but the tool does not list it"));
                next++;
            }
        }
        return devices;
    }

    /// Without addresses, which device is which is only known where there is one.
    private List<AcceleratorProfile> joinByCount(List<PciDevice> bus, List<AcceleratorProfile> told) {
        if (bus.size() == 1 && told.size() == 1) {
            AcceleratorProfile device = told.getFirst();
            return List.of(
                    ProfileMerge.merge(describe(device.accelerator().deviceId(), bus.getFirst()), device, report::add));
        }
        if (!bus.isEmpty() && bus.size() != told.size()) {
            report.add(new Gap.Conflict(
                    row.name, bus.size() + " devices on the PCI bus, but " + told.size() + " according to the tool"));
        }
        return told.stream()
                .map(device -> shared(device.toBuilder(), bus).build())
                .toList();
    }

    /// Adds what all devices on the bus have in common.
    private AcceleratorProfile.ProfileBuilder shared(AcceleratorProfile.ProfileBuilder device, List<PciDevice> bus) {
        if (bus.stream().map(PciDevice::id).distinct().count() == 1) {
            PciDevice first = bus.getFirst();
            device.with(DeviceFact.PCI_ID, Reading.known(first.id(), context.fromFile(first.folder() + "/uevent")));
        }
        return device;
    }

    private AcceleratorProfile.ProfileBuilder start(long number, String file) {
        AcceleratorProfile.ProfileBuilder profile = AcceleratorProfile.builder(AcceleratorType.of(row.kind, number));
        return row.capability.isEmpty()
                ? profile
                : profile.with(DeviceFact.COMPUTE_CAPABILITY, Reading.known(row.capability, context.fromFile(file)));
    }

    private String nodeSource() {
        boolean isShown = !row.chipFolder.isEmpty() && context.files().exists(row.chipFolder);
        return isShown ? row.chipFolder : "/dev";
    }

    private AcceleratorProfile describe(long number, PciDevice device) {
        AcceleratorProfile.ProfileBuilder profile =
                PciFacts.identify(start(number, device.folder() + "/uevent"), device, folder(device));
        if (row.kind == AcceleratorKind.TENSTORRENT) {
            addBoard(profile, device);
        } else if (row.kind == AcceleratorKind.HYGON_DCU) {
            addMemory(profile, folder(device));
        }
        return profile.build();
    }

    private AttributeFolder folder(PciDevice device) {
        return context.folder(device.folder(), report::add);
    }

    /// Hygon's driver is a relative of amdgpu and has its files.
    private static void addMemory(AcceleratorProfile.ProfileBuilder profile, AttributeFolder folder) {
        if (folder.has("mem_info_vram_total")) {
            profile.with(DeviceFact.MEMORY, folder.bytes("mem_info_vram_total"))
                    .with(DeviceFact.MEMORY_USED, folder.bytes("mem_info_vram_used"));
        }
    }

    /// Tenstorrent's driver has a folder for each device, whose link leads to the PCI bus.
    private void addBoard(AcceleratorProfile.ProfileBuilder profile, PciDevice device) {
        for (String name : context.files().names(TENSTORRENT)) {
            String path = TENSTORRENT + "/" + name;
            Optional<String> place = context.files().findLinkName(path + "/device");
            if (place.flatMap(PciAddress::find).filter(device.address()::equals).isPresent()) {
                AttributeFolder board = context.folder(path, report::add);
                with(profile, DeviceFact.DEVICE_NAME, board.text("tt_card_type"));
                with(profile, DeviceFact.FIRMWARE_VERSION, board.text("tt_fw_bundle_ver"));
                with(
                        profile,
                        DeviceFact.CLOCK,
                        board.reading(
                                "tt_aiclk",
                                text -> Amount.count(text, MAX_MEGAHERTZ).map(Hertz::ofMegahertz)));
            }
        }
    }

    private static <T> void with(AcceleratorProfile.ProfileBuilder profile, DeviceFact<T> fact, Reading<T> reading) {
        if (reading.isKnown()) {
            profile.with(fact, reading);
        }
    }

    /// The numbers in the names of the driver's nodes; a device may have several nodes. A letter may stand before the
    /// number, as in `groqA0`.
    private Set<Long> nodes() {
        Set<Long> numbers = new TreeSet<>();
        List<String> names =
                row.nodeFolder.isEmpty() ? List.of() : context.files().names(row.nodeFolder);
        for (String name : names) {
            if (!name.startsWith(row.nodePrefix)) {
                continue;
            }
            int start = row.nodePrefix.length();
            if (start < name.length() && Character.isUpperCase(name.charAt(start))) {
                start++;
            }
            int end = start;
            while (end < name.length() && isDigit(name.charAt(end))) {
                end++;
            }
            if (end > start && end - start <= MAX_DIGITS) {
                numbers.add(Long.parseLong(name.substring(start, end)));
            }
        }
        return numbers;
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }
}
