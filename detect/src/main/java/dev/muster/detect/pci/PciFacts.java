// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.pci;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.PciInventory;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// The kernel's facts of any PCI device, of any maker: its link, its NUMA node, its ids, its driver. Confined
/// to one thread.
///
/// @param now the time of the observation
/// @param gaps told of each file that could not be read
public record PciFacts(HostFiles files, PciInventory pci, Instant now, Consumer<Gap> gaps) {
    private static final int INTEL = 0x8086;

    /// The profile with what its own source left unknown; the profile itself where it has no address or the kernel
    /// does not list it.
    public AcceleratorProfile complete(AcceleratorProfile profile) {
        Optional<PciDevice> device =
                profile.reading(DeviceFact.PCI_ADDRESS).find().flatMap(pci::find);
        if (device.isEmpty()) {
            return profile;
        }
        AttributeFolder folder = folder(device.get().address());
        AcceleratorProfile.ProfileBuilder completed = profile.toBuilder();
        Provenance uevent = folder.source("uevent");
        completed.fill(DeviceFact.PCI_ID, Reading.known(device.get().id(), uevent));
        if (!device.get().driver().isEmpty()) {
            completed.fill(DeviceFact.KERNEL_DRIVER, Reading.known(device.get().driver(), uevent));
        }
        completed.fill(DeviceFact.NUMA_NODE, folder.node("numa_node"));
        findPath(device.get().address()).ifPresent(path -> fillLink(completed, path.toSlot(pci)));
        return completed.build();
    }

    /// Says of a device what its place on the bus tells: address, ids, driver and NUMA node. One without a
    /// driver cannot be used.
    ///
    /// @param folder the device's folder in sysfs
    public static AcceleratorProfile.ProfileBuilder identify(
            AcceleratorProfile.ProfileBuilder profile, PciDevice device, AttributeFolder folder) {
        Provenance source = folder.source("uevent");
        profile.with(DeviceFact.PCI_ADDRESS, Reading.known(device.address(), source))
                .with(DeviceFact.PCI_ID, Reading.known(device.id(), source))
                .with(DeviceFact.NUMA_NODE, folder.node("numa_node"));
        if (device.driver().isEmpty()) {
            profile.available(false).with(DeviceFact.HEALTH, Reading.known("no driver is bound", source));
        } else {
            profile.with(DeviceFact.KERNEL_DRIVER, Reading.known(device.driver(), source));
        }
        return profile;
    }

    /// The way to a device.
    public Optional<PciPath> findPath(PciAddress address) {
        return files.findRealPath(PciInventory.FOLDER + "/" + address).flatMap(PciPath::parse);
    }

    /// The NUMA node next to a device; -1, which the kernel writes where the firmware is silent, is unknown.
    public Reading<Long> numaNode(PciAddress address) {
        return folder(address).node("numa_node");
    }

    /// The most that the link to a device carries one way.
    public Reading<Bandwidth> bandwidth(PciPath path) {
        PciPath slot = path.toSlot(pci);
        return bandwidth(
                most(slot, "max_link_speed", PcieRate::parseSpeed), most(slot, "max_link_width", PcieRate::parseWidth));
    }

    private void fillLink(AcceleratorProfile.ProfileBuilder completed, PciPath slot) {
        Reading<Double> speed = most(slot, "max_link_speed", PcieRate::parseSpeed);
        Reading<Long> width = most(slot, "max_link_width", PcieRate::parseWidth);
        boolean isInsideCard = pci.find(slot.address())
                        .filter(device -> device.vendor() == INTEL && device.isDisplay())
                        .isPresent()
                && speed.matches(rate -> rate == PcieRate.GENERATIONS[0])
                && width.matches(lanes -> lanes == 1);
        if (isInsideCard) {
            // What an Intel card claims behind a bridge of its own says nothing of the slot.
            return;
        }
        AttributeFolder folder = folder(slot.address());
        completed.fill(DeviceFact.PCIE_GENERATION_MAX, most(slot, "max_link_speed", PcieRate::parseGeneration));
        completed.fill(DeviceFact.PCIE_WIDTH_MAX, width);
        completed.fill(DeviceFact.PCIE_GENERATION, folder.reading("current_link_speed", PcieRate::parseGeneration));
        completed.fill(DeviceFact.PCIE_WIDTH, folder.reading("current_link_width", PcieRate::parseWidth));
        completed.fill(DeviceFact.PCIE_BANDWIDTH, bandwidth(speed, width));
    }

    /// The most that both ends of the slot can do.
    private <T extends Comparable<T>> Reading<T> most(PciPath slot, String file, Function<String, Optional<T>> parser) {
        Reading<T> card = folder(slot.address()).reading(file, parser);
        if (slot.bridges().isEmpty()) {
            return card;
        }
        Reading<T> port = folder(slot.bridges().getLast()).reading(file, parser);
        Optional<T> one = card.find();
        Optional<T> other = port.find();
        boolean portIsLess = one.isPresent() && other.isPresent() && other.get().compareTo(one.get()) < 0;
        return portIsLess ? port : card;
    }

    private Reading<Bandwidth> bandwidth(Reading<Double> speed, Reading<Long> width) {
        if (!(speed instanceof Reading.Known<Double>(Double gigatransfers, Provenance source))) {
            return Reading.notSupported("the kernel does not report the link's speed");
        }
        if (!(width instanceof Reading.Known<Long>(Long lanes, var _))) {
            return Reading.notSupported("the kernel does not report the link's width");
        }
        return Reading.known(
                new PcieRate(gigatransfers, lanes).bandwidth(),
                Provenance.of(source.source(), Provenance.Method.DERIVED, Provenance.Confidence.MEASURED)
                        .withObservedAt(now));
    }

    private AttributeFolder folder(PciAddress address) {
        return new AttributeFolder(files, now, gaps, PciInventory.FOLDER + "/" + address);
    }
}
