package dev.muster.detect.hwloc;

import dev.muster.core.Reading;
import dev.muster.core.StorageDevice;
import java.util.List;
import java.util.stream.Stream;

/// The drives of a host.
///
/// @param version the first number of the format's version
record HwlocDrives(int version) {
    /// hwloc has tapes, discs and memory among its storage, too.
    private static final String DISK = "Disk";

    List<StorageDevice> drives(HwlocInventory inventory) {
        Stream<HwlocObject> onPci = inventory.functions().stream().flatMap(function -> function.osDevices().stream());
        return Stream.concat(onPci, inventory.looseDevices().stream())
                .filter(device -> HwlocOsDeviceType.STORAGE.isTypeOf(device, version))
                .filter(device -> device.attribute("subtype").equals(DISK))
                .map(HwlocDrives::drive)
                .toList();
    }

    private static StorageDevice drive(HwlocObject device) {
        return new StorageDevice(
                device.name(),
                device.name().startsWith("nvme") ? StorageDevice.Kind.NVME : StorageDevice.Kind.UNKNOWN,
                HwlocFacts.missing("the hwloc file does not tell how fast the drive is"),
                HwlocFacts.reading(device.findInfo("Model"), "the drive's model"),
                HwlocFacts.reading(device.findInfo("Size").flatMap(HwlocFacts::findKib), "the drive's size"),
                Reading.notProbed());
    }
}
