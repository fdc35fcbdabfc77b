package dev.muster.mesh;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;

/// A device as a mesh sees it. Immutable.
///
/// @param host the host that it belongs to; blank where there is only one
/// @param id its number among devices of its backend, counted on its host; the first of each backend is
///     0
/// @param name its name for people
/// @param backend what drives it
/// @param memory its memory
/// @param computeUnits its compute units; cores of a processor
/// @param pciBusId where it sits on the PCI bus
/// @param partitionId the id of the device or slice that stays when devices are renumbered
/// @param isPartition whether it is a slice of a device; slices have their device's number
/// @param computeCapability its abilities in the vendor's words, such as `8.6`
/// @param numaNode the NUMA node next to it
/// @param fabricDomain the devices that its fast links reach; the same text means the same domain on all
///     hosts
/// @since 0.1
public record MeshDevice(
        String host,
        int id,
        String name,
        DeviceBackend backend,
        Reading<Bytes> memory,
        Reading<Long> computeUnits,
        Reading<String> pciBusId,
        Reading<String> partitionId,
        boolean isPartition,
        Reading<String> computeCapability,
        Reading<Long> numaNode,
        Reading<String> fabricDomain) {
    /// Checks the number.
    public MeshDevice {
        if (id < 0) {
            throw new IllegalArgumentException("a device number is not negative: " + id);
        }
    }

    /// A device of which only number, name and backend are known.
    public static MeshDevice of(int id, String name, DeviceBackend backend) {
        return new MeshDevice(
                "",
                id,
                name,
                backend,
                Reading.notProbed(),
                Reading.notProbed(),
                Reading.notProbed(),
                Reading.notProbed(),
                false,
                Reading.notProbed(),
                Reading.notProbed(),
                Reading.notProbed());
    }

    /// A device of a registry.
    ///
    /// @param host the host that it belongs to
    /// @param id its number on that host
    /// @param domain the devices that its fast links reach
    static MeshDevice of(AcceleratorProfile profile, String host, int id, Reading<String> domain) {
        Reading<String> partition = profile.partition()
                .map(slice -> Reading.known(slice.id(), Provenance.GIVEN))
                .orElseGet(() -> profile.reading(DeviceFact.UUID));
        return new MeshDevice(
                host,
                id,
                profile.deviceName()
                        .find()
                        .orElseGet(() -> profile.accelerator().display()),
                DeviceBackend.of(profile.accelerator().kind()),
                profile.memory(),
                profile.reading(DeviceFact.COMPUTE_UNITS),
                profile.reading(DeviceFact.PCI_ADDRESS).map(PciAddress::toString),
                partition,
                profile.partition().isPresent(),
                profile.reading(DeviceFact.COMPUTE_CAPABILITY),
                profile.reading(DeviceFact.NUMA_NODE),
                domain);
    }

    /// The device with its memory known.
    public MeshDevice withMemory(Bytes value) {
        return with(host, known(value), computeUnits, pciBusId, partitionId, computeCapability, fabricDomain);
    }

    /// The device with its compute units known.
    public MeshDevice withComputeUnits(long value) {
        return with(host, memory, known(value), pciBusId, partitionId, computeCapability, fabricDomain);
    }

    /// The device with its place on the PCI bus known.
    public MeshDevice withPciBusId(String value) {
        return with(host, memory, computeUnits, known(value), partitionId, computeCapability, fabricDomain);
    }

    /// The device with its lasting id known.
    public MeshDevice withPartitionId(String value) {
        return with(host, memory, computeUnits, pciBusId, known(value), computeCapability, fabricDomain);
    }

    /// The device with its abilities known.
    public MeshDevice withComputeCapability(String value) {
        return with(host, memory, computeUnits, pciBusId, partitionId, known(value), fabricDomain);
    }

    /// The device on a host, with what its fast links reach known.
    public MeshDevice on(String newHost, String domain) {
        return with(newHost, memory, computeUnits, pciBusId, partitionId, computeCapability, known(domain));
    }

    /// The device on a host.
    public MeshDevice on(String newHost) {
        return with(newHost, memory, computeUnits, pciBusId, partitionId, computeCapability, fabricDomain);
    }

    private MeshDevice with(
            String newHost,
            Reading<Bytes> newMemory,
            Reading<Long> newUnits,
            Reading<String> newPci,
            Reading<String> newPartition,
            Reading<String> newCapability,
            Reading<String> newDomain) {
        return new MeshDevice(
                newHost,
                id,
                name,
                backend,
                newMemory,
                newUnits,
                newPci,
                newPartition,
                isPartition,
                newCapability,
                numaNode,
                newDomain);
    }

    private static <T> Reading<T> known(T value) {
        return Reading.known(value, Provenance.GIVEN);
    }

    /// Whether the device is a processor of its host.
    public boolean isCpu() {
        return backend.equals(DeviceBackend.CPU);
    }

    /// The device on its host for people, such as `cuda:1`; a slice has its own id behind its device's.
    public String localLabel() {
        String own = backend + ":" + id;
        return isPartition ? own + "/" + partitionId.find().orElse("?") : own;
    }

    /// The device for people, with its host before it where there are several.
    public String label() {
        return host.isBlank() ? localLabel() : host + "/" + localLabel();
    }
}
