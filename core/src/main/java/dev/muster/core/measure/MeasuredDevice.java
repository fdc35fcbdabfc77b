// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.measure;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A measured device, by marks that identify it in any slot.
///
/// @param id its id in the registry of its host, such as `cuda:0`
/// @param name its name; the id if the name is unknown
/// @param uuid the vendor's unique id; null where there is none
/// @param pciAddress its address on the PCI bus; null if it has none or it is unknown
/// @param driverVersion the driver during the measurement; null if there was none or it is unknown
/// @since 0.1
public record MeasuredDevice(
        String id,
        String name,
        @Nullable String uuid,
        @Nullable PciAddress pciAddress,
        @Nullable String driverVersion) {
    /// Checks that id and name are there.
    public MeasuredDevice {
        if (id.isBlank() || name.isBlank()) {
            throw new IllegalArgumentException("a device has an id and a name");
        }
    }

    /// A device of a registry.
    public static MeasuredDevice of(AcceleratorProfile profile) {
        String id = profile.id().text();
        return new MeasuredDevice(
                id,
                profile.deviceName().find().filter(name -> !name.isBlank()).orElse(id),
                profile.reading(DeviceFact.UUID).find().orElse(null),
                profile.reading(DeviceFact.PCI_ADDRESS).find().orElse(null),
                profile.reading(DeviceFact.DRIVER_VERSION).find().orElse(null));
    }

    /// The vendor's unique id, if there is one.
    public Optional<String> findUuid() {
        return Optional.ofNullable(uuid);
    }

    /// Its address on the PCI bus, if known.
    public Optional<PciAddress> findPciAddress() {
        return Optional.ofNullable(pciAddress);
    }

    /// The driver it was measured with, if that is known.
    public Optional<String> findDriverVersion() {
        return Optional.ofNullable(driverVersion);
    }

    /// Reports whether both are the same piece of hardware: by unique id, and where one has none, by id and
    /// name.
    public boolean isSameHardware(MeasuredDevice other) {
        boolean byName = uuid == null && other.uuid == null;
        return byName ? id.equals(other.id) && name.equals(other.name) : Objects.equals(uuid, other.uuid);
    }
}
