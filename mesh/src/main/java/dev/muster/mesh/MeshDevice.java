// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;

/// A device as a mesh sees it: its place among hosts, and all that detection found of it. Immutable.
///
/// @param host the host that it belongs to; blank where there is only one
/// @param id its number among devices of its backend, counted on its host; the first of each backend is
///     0
/// @param backend the software that drives it
/// @param profile known facts, such as its driver, load, temperature and number formats
/// @param fabricDomain the devices that its fast links reach; the same text means the same domain on all
///     hosts
/// @since 0.1
public record MeshDevice(
        String host, int id, DeviceBackend backend, AcceleratorProfile profile, Reading<String> fabricDomain) {
    /// Checks the number.
    public MeshDevice {
        if (id < 0) {
            throw new IllegalArgumentException("a device number must not be negative: " + id);
        }
    }

    /// A device of which only number, name and backend are known.
    public static MeshDevice of(int id, String name, DeviceBackend backend) {
        AcceleratorType type = AcceleratorKind.find(backend.text())
                .filter(kind -> !kind.needsMore())
                .map(kind -> AcceleratorType.of(kind, id))
                .orElseGet(() -> new AcceleratorType.Other("custom", AcceleratorFamily.GPU, id));
        AcceleratorProfile profile = AcceleratorProfile.builder(type).build();
        return new MeshDevice("", id, backend, profile, Reading.notProbed()).with(DeviceFact.DEVICE_NAME, name);
    }

    /// The device with a fact known.
    public <T> MeshDevice with(DeviceFact<T> fact, T value) {
        AcceleratorProfile known = profile.toBuilder()
                .with(fact, Reading.known(value, Provenance.GIVEN))
                .build();
        return new MeshDevice(host, id, backend, known, fabricDomain);
    }

    /// The device on a host, with what its fast links reach known.
    public MeshDevice on(String newHost, String domain) {
        return new MeshDevice(newHost, id, backend, profile, Reading.known(domain, Provenance.GIVEN));
    }

    /// The device on a host.
    public MeshDevice on(String newHost) {
        return new MeshDevice(newHost, id, backend, profile, fabricDomain);
    }

    /// Its name for people.
    public String name() {
        return profile.deviceName().find().orElseGet(() -> profile.accelerator().display());
    }

    /// Its memory.
    public Reading<Bytes> memory() {
        return profile.memory();
    }

    /// Its compute units; cores of a processor.
    public Reading<Long> computeUnits() {
        return profile.reading(DeviceFact.COMPUTE_UNITS);
    }

    /// Returns the address on the PCI bus.
    public Reading<String> pciBusId() {
        return profile.reading(DeviceFact.PCI_ADDRESS).map(PciAddress::toString);
    }

    /// Its abilities in the vendor's words, such as `8.6`.
    public Reading<String> computeCapability() {
        return profile.reading(DeviceFact.COMPUTE_CAPABILITY);
    }

    /// The NUMA node next to it.
    public Reading<Long> numaNode() {
        return profile.reading(DeviceFact.NUMA_NODE);
    }

    /// The id of the device or slice that stays when devices are renumbered.
    public Reading<String> partitionId() {
        return profile.partition()
                .map(slice -> Reading.known(slice.id(), Provenance.GIVEN))
                .orElseGet(() -> profile.reading(DeviceFact.UUID));
    }

    /// Reports whether it is a slice of a device; slices have their device's number.
    public boolean isPartition() {
        return profile.partition().isPresent();
    }

    /// Reports whether the device is a processor of its host.
    public boolean isCpu() {
        return backend.equals(DeviceBackend.CPU);
    }

    /// The device on its host for people, such as `cuda:1`; a slice has its own id behind its device's.
    public String localLabel() {
        String own = backend + ":" + id;
        return isPartition() ? own + "/" + partitionId().find().orElse("?") : own;
    }

    /// The device for people, with its host before it where there are several.
    public String label() {
        return host.isBlank() ? localLabel() : host + "/" + localLabel();
    }
}
