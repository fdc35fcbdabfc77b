// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import dev.muster.core.Interconnect;
import dev.muster.core.MemoryDevice;
import dev.muster.core.Reading;
import dev.muster.core.StorageDevice;
import dev.muster.detect.hwloc.HwlocObject.OsDeviceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The network cards and the drives of a host.
///
/// @param version the first number of the format's version
record HwlocSystemIo(int version) {
    /// hwloc has tapes, discs and memory among its storage, too.
    private static final String DISK = "Disk";

    private static final int MAX_PORTS = 256;
    private static final int ETHERNET = 0x0200;
    /// Amazon's adapters speak a protocol of their own over Ethernet; a detection calls them InfiniBand, as the kernel
    /// files them.
    private static final int AMAZON = 0x1d0f;

    /// The port's states by number, as the kernel writes them.
    private static final List<String> STATES =
            List.of("0: NOP", "1: DOWN", "2: INIT", "3: ARMED", "4: ACTIVE", "5: ACTIVE_DEFER");

    /// The names of the cards behind a function: what can access memory remotely, or else plain interfaces.
    List<String> cards(HwlocFunction function) {
        List<String> fabric = names(function, OsDeviceType.OPEN_FABRICS);
        return fabric.isEmpty() ? names(function, OsDeviceType.NETWORK) : fabric;
    }

    private List<String> names(HwlocFunction function, OsDeviceType type) {
        return function.osDevices().stream()
                .filter(device -> device.is(type, version))
                .map(HwlocObject::name)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /// The ports behind a function that can access memory remotely.
    List<Interconnect> ports(HwlocFunction function) {
        Interconnect.InterconnectKind kind = function.classCode() == ETHERNET && function.vendor() != AMAZON
                ? Interconnect.InterconnectKind.ROCE
                : Interconnect.InterconnectKind.INFINIBAND;
        List<Interconnect> ports = new ArrayList<>();
        for (HwlocObject device : function.osDevices()) {
            if (device.is(OsDeviceType.OPEN_FABRICS, version)) {
                ports.addAll(ports(kind, device));
            }
        }
        return ports;
    }

    /// Cards with several ports are told apart as NCCL and the tools of the vendor do.
    private static List<Interconnect> ports(Interconnect.InterconnectKind kind, HwlocObject device) {
        List<Interconnect> ports = new ArrayList<>();
        for (int number = 1; number <= MAX_PORTS; number++) {
            Optional<String> state = device.findInfo("Port" + number + "State");
            if (number > 1 && state.isEmpty()) {
                break;
            }
            boolean single = device.findInfo("Port2State").isEmpty();
            ports.add(new Interconnect(
                    kind,
                    single ? device.name() : device.name() + ":" + number,
                    HwlocFacts.missing("the hwloc file does not state the rate of a port"),
                    state(state)));
        }
        return ports;
    }

    private static Reading<String> state(Optional<String> number) {
        Optional<String> known = STATES.stream()
                .filter(text ->
                        number.filter(digits -> text.startsWith(digits + ":")).isPresent())
                .findFirst();
        return HwlocFacts.reading(known.or(() -> number), "the port's state");
    }

    List<StorageDevice> drives(HwlocInventory inventory) {
        Stream<HwlocObject> onPci = inventory.functions.stream().flatMap(function -> function.osDevices().stream());
        return Stream.concat(onPci, inventory.looseDevices.stream())
                .filter(device -> device.is(OsDeviceType.STORAGE, version))
                .filter(device -> device.attribute("subtype").equals(DISK))
                .map(HwlocSystemIo::drive)
                .toList();
    }

    /// CXL memory, which hwloc has among its storage, or in hwloc 3 as memory.
    List<MemoryDevice> memory(HwlocInventory inventory) {
        List<MemoryDevice> devices = new ArrayList<>();
        Stream<HwlocObject> onPci = inventory.functions.stream().flatMap(function -> function.osDevices().stream());
        Stream.concat(onPci, inventory.looseDevices.stream())
                .filter(device -> device.attribute("subtype").equals("CXLMem"))
                .forEach(device -> {
                    addMemory(devices, device, MemoryDevice.MemoryKind.CXL, "CXLRAMSize");
                    addMemory(devices, device, MemoryDevice.MemoryKind.CXL_PERSISTENT, "CXLPMEMSize");
                });
        return devices;
    }

    private static void addMemory(
            List<MemoryDevice> devices, HwlocObject device, MemoryDevice.MemoryKind kind, String info) {
        device.findInfo(info)
                .flatMap(HwlocFacts::findKib)
                .ifPresent(size -> devices.add(new MemoryDevice(
                        kind,
                        device.name(),
                        Reading.known(size, HwlocFacts.SOURCE),
                        HwlocFacts.missing("the hwloc file does not state the node of this memory"),
                        HwlocFacts.missing("the hwloc file does not state the driver"))));
    }

    private static StorageDevice drive(HwlocObject device) {
        return new StorageDevice(
                device.name(),
                device.name().startsWith("nvme") ? StorageDevice.StorageKind.NVME : StorageDevice.StorageKind.UNKNOWN,
                HwlocFacts.missing("the hwloc file does not state how fast the drive is"),
                HwlocFacts.reading(device.findInfo("Model"), "the drive's model"),
                HwlocFacts.reading(device.findInfo("Size").flatMap(HwlocFacts::findKib), "the drive's size"),
                Reading.notProbed());
    }
}
