// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.RegistryDifference.DeviceChange;
import dev.muster.core.RegistryDifference.ItemChange;
import dev.muster.core.RuntimeEnvironment.CloudInstance;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegistryDifferenceTest {
    private static final AcceleratorProfile CPU = AcceleratorProfile.cpu(Bytes.ofGib(64));

    private static AcceleratorRegistry of(AcceleratorProfile... profiles) {
        return AcceleratorRegistry.of(List.of(profiles));
    }

    private static AcceleratorProfile cuda(long id) {
        return AcceleratorProfile.cuda(id, Bytes.ofGib(80));
    }

    private static <T> AcceleratorProfile with(AcceleratorProfile profile, DeviceFact<T> fact, T value) {
        return profile.toBuilder()
                .with(fact, Reading.known(value, Provenance.GIVEN))
                .build();
    }

    private static AcceleratorProfile uuid(AcceleratorProfile profile, String uuid) {
        return with(profile, DeviceFact.UUID, uuid);
    }

    private static AcceleratorProfile pci(AcceleratorProfile profile, int bus) {
        return with(profile, DeviceFact.PCI_ADDRESS, new PciAddress(0, bus, 0, 0));
    }

    private static AcceleratorProfile slice(AcceleratorProfile parent, String id) {
        return uuid(parent, id).toBuilder()
                .partition(new Partition(parent.id(), id, "1g.10gb"))
                .build();
    }

    private static AcceleratorRegistry around(SystemIo io, TopologyGraph topology, Gap... gaps) {
        return new AcceleratorRegistry(3, List.of(CPU), List.of(gaps), io, topology, Reading.notProbed());
    }

    private static List<DeviceChange> changes(AcceleratorRegistry before, AcceleratorRegistry after) {
        RegistryDifference difference = RegistryDifference.between(before, after);
        assertThat(difference.items()).isEmpty();
        return difference.devices();
    }

    private static List<ItemChange> items(AcceleratorRegistry before, AcceleratorRegistry after) {
        RegistryDifference difference = RegistryDifference.between(before, after);
        assertThat(difference.devices()).isEmpty();
        return difference.items();
    }

    private static DeviceChange added(AcceleratorProfile device) {
        return new DeviceChange(null, device, List.of());
    }

    private static DeviceChange removed(AcceleratorProfile device) {
        return new DeviceChange(device, null, List.of());
    }

    private static DeviceChange changed(AcceleratorProfile before, AcceleratorProfile after, DeviceFact<?>... facts) {
        return new DeviceChange(before, after, List.of(facts));
    }

    @Test
    void nothingChangesBetweenARegistryAndItself() {
        Trials.run(500, random -> {
            AcceleratorRegistry registry = RandomRegistry.own(random);
            assertThat(RegistryDifference.between(registry, registry, _ -> true).isEmpty())
                    .isTrue();
            assertThat(RegistryDifference.between(registry, registry).isEmpty()).isTrue();
        });
    }

    @Test
    void whatIsAddedOneWayIsRemovedTheOther() {
        Trials.run(300, random -> {
            AcceleratorRegistry before = RandomRegistry.own(random);
            AcceleratorRegistry after = RandomRegistry.own(random);
            assertThat(RegistryDifference.between(before, after).isEmpty())
                    .isEqualTo(RegistryDifference.between(after, before).isEmpty());
        });
    }

    @Test
    void anotherOrderIsNoChange() {
        List<AcceleratorProfile> profiles = new ArrayList<>(
                List.of(CPU, uuid(cuda(0), "GPU-a"), pci(cuda(1), 5), cuda(2), AcceleratorProfile.rocm(0, Bytes.ZERO)));
        AcceleratorRegistry before = AcceleratorRegistry.of(profiles);
        Trials.run(100, random -> {
            Collections.shuffle(profiles, random);
            assertThat(changes(before, AcceleratorRegistry.of(profiles))).isEmpty();
        });
    }

    @Test
    void twoEqualDevicesAreTwoDevices() {
        assertThat(changes(of(cuda(0), cuda(0)), of(cuda(0), cuda(0)))).isEmpty();
        AcceleratorProfile device = cuda(0);
        assertThat(changes(of(device, device), of(device, device))).isEmpty();
        assertThat(changes(of(device, device), of(device))).containsExactly(removed(device));
        assertThat(changes(of(device), of(device, device))).containsExactly(added(device));
    }

    @Test
    void devicesAppearAndGo() {
        assertThat(changes(of(CPU), of(CPU, cuda(0)))).containsExactly(added(cuda(0)));
        assertThat(changes(of(CPU, cuda(0)), of(CPU))).containsExactly(removed(cuda(0)));
    }

    @Test
    void aRenumberedDeviceIsRecognisedByItsUuid() {
        AcceleratorProfile before = uuid(cuda(0), "GPU-a");
        AcceleratorProfile after = uuid(cuda(1), "GPU-a");
        assertThat(changes(of(before), of(after))).containsExactly(changed(before, after));
        assertThat(changed(before, after).hasNewType()).isTrue();
    }

    @Test
    void aRenumberedDeviceIsRecognisedByItsPlaceOnTheBus() {
        AcceleratorProfile before = pci(cuda(0), 0x3b);
        AcceleratorProfile after = pci(cuda(1), 0x3b);
        assertThat(changes(of(before), of(after))).containsExactly(changed(before, after));
        assertThat(changed(before, after).hasNewType()).isTrue();
    }

    @Test
    void theUuidOutranksThePlaceOnTheBus() {
        AcceleratorProfile a = pci(uuid(cuda(0), "GPU-a"), 1);
        AcceleratorProfile b = pci(uuid(cuda(1), "GPU-b"), 2);
        AcceleratorProfile movedA = pci(uuid(cuda(0), "GPU-a"), 2);
        AcceleratorProfile movedB = pci(uuid(cuda(1), "GPU-b"), 1);
        assertThat(changes(of(a, b), of(movedA, movedB)))
                .containsExactly(
                        changed(a, movedA, DeviceFact.PCI_ADDRESS), changed(b, movedB, DeviceFact.PCI_ADDRESS));
    }

    @Test
    void devicesThatExchangeTheirNumbersAreRecognised() {
        AcceleratorProfile a = uuid(cuda(0), "GPU-a");
        AcceleratorProfile b = uuid(cuda(1), "GPU-b");
        AcceleratorProfile newA = uuid(cuda(1), "GPU-a");
        AcceleratorProfile newB = uuid(cuda(0), "GPU-b");
        assertThat(changes(of(a, b), of(newB, newA))).containsExactly(changed(a, newA), changed(b, newB));
    }

    @Test
    void theFirstOfTwoDevicesFallingOffTheBusLeavesTheOtherRecognised() {
        AcceleratorProfile lost = pci(uuid(cuda(0), "GPU-a"), 1);
        AcceleratorProfile kept = pci(uuid(cuda(1), "GPU-b"), 2);
        AcceleratorProfile renumbered = pci(uuid(cuda(0), "GPU-b"), 2);
        assertThat(changes(of(lost, kept), of(renumbered)))
                .containsExactlyInAnyOrder(removed(lost), changed(kept, renumbered));
    }

    @Test
    void aDestroyedPartitionLeavesItsSiblingRecognised() {
        AcceleratorProfile parent = pci(uuid(cuda(0), "GPU-a"), 1);
        AcceleratorProfile first = slice(parent, "MIG-1");
        AcceleratorProfile second = slice(parent, "MIG-2");
        assertThat(changes(of(parent, first, second), of(parent, second))).containsExactly(removed(first));
    }

    @Test
    void devicesOfDifferentKindsAreNeverTheSame() {
        AcceleratorProfile cuda = pci(cuda(0), 1);
        AcceleratorProfile vulkan = with(
                AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.VULKAN_GPU, 0))
                        .build(),
                DeviceFact.PCI_ADDRESS,
                new PciAddress(0, 1, 0, 0));
        assertThat(changes(of(cuda), of(vulkan))).containsExactly(removed(cuda), added(vulkan));
        assertThat(changes(of(cuda), of(vulkan, cuda))).containsExactly(added(vulkan));
    }

    @Test
    void aFactThatChangedIsNamedWithBothReadings() {
        AcceleratorProfile before = with(cuda(0), DeviceFact.DRIVER_VERSION, "550.1");
        AcceleratorProfile after = with(cuda(0), DeviceFact.DRIVER_VERSION, "580.2");
        assertThat(changes(of(before), of(after))).containsExactly(changed(before, after, DeviceFact.DRIVER_VERSION));
        assertThat(changes(of(before), of(cuda(0)))).as("known, then unknown").hasSize(1);
    }

    @Test
    void volatileFactsAreLeftOutUnlessAskedFor() {
        AcceleratorRegistry cold = of(with(cuda(0), DeviceFact.TEMPERATURE, new Celsius(30)));
        AcceleratorRegistry warm = of(with(cuda(0), DeviceFact.TEMPERATURE, new Celsius(70)));
        assertThat(changes(cold, warm)).isEmpty();
        assertThat(RegistryDifference.between(cold, warm, fact -> fact == DeviceFact.TEMPERATURE)
                        .devices())
                .hasSize(1);
        assertThat(RegistryDifference.between(cold, warm, fact -> fact == DeviceFact.POWER)
                        .isEmpty())
                .isTrue();
    }

    @Test
    void anotherSourceOrReasonIsNoChange() {
        AcceleratorProfile measured = cuda(0).toBuilder()
                .with(
                        DeviceFact.MEMORY,
                        Reading.known(
                                Bytes.ofGib(80),
                                Provenance.of("nvidia-smi", Provenance.Method.COMMAND, Provenance.Confidence.MEASURED)))
                .with(DeviceFact.UUID, Reading.unknown(UnknownReason.TIMED_OUT))
                .build();
        assertThat(changes(of(cuda(0)), of(measured))).isEmpty();
    }

    @Test
    void availabilityIsAChange() {
        AcceleratorProfile gone = cuda(0).toBuilder().available(false).build();
        assertThat(changes(of(cuda(0)), of(gone))).containsExactly(changed(cuda(0), gone));
        assertThat(changes(of(gone), of(cuda(0)))).containsExactly(changed(gone, cuda(0)));
        assertThat(changed(cuda(0), gone).hasNewAvailability()).isTrue();
    }

    @Test
    void interconnectsAndDrivesChange() {
        Interconnect slow = new Interconnect(
                Interconnect.InterconnectKind.INFINIBAND,
                "mlx5_0",
                Reading.known(new Bandwidth(12.5), Provenance.GIVEN),
                Reading.known("4: ACTIVE", Provenance.GIVEN));
        Interconnect fast = new Interconnect(
                Interconnect.InterconnectKind.INFINIBAND,
                "mlx5_0",
                Reading.known(new Bandwidth(50), Provenance.GIVEN),
                Reading.notProbed());
        StorageDevice drive = StorageDevice.of(
                "nvme0n1", StorageDevice.StorageKind.NVME, Reading.known(new Bandwidth(3.5), Provenance.GIVEN));
        assertThat(items(
                        around(SystemIo.of(List.of(slow), List.of(), Reading.notProbed()), TopologyGraph.EMPTY),
                        around(SystemIo.of(List.of(fast), List.of(drive), Reading.notProbed()), TopologyGraph.EMPTY)))
                .containsExactly(
                        new ItemChange("interconnect", "mlx5_0 (InfiniBand, 12.5 GB/s, 4: ACTIVE)", false),
                        new ItemChange("interconnect", "mlx5_0 (InfiniBand, 50.0 GB/s)", true),
                        new ItemChange("storage", "nvme0n1 (NVMe, 3.5 GB/s)", true));
    }

    @Test
    void anArrayLosesADriveButItsRecoveryIsNoChange() {
        assertThat(items(
                        around(array("active"), TopologyGraph.EMPTY),
                        around(array("degraded 1 of 2"), TopologyGraph.EMPTY)))
                .containsExactly(
                        new ItemChange("storage", "md0 (RAID, active)", false),
                        new ItemChange("storage", "md0 (RAID, degraded)", true));
        assertThat(items(
                        around(array("resyncing 8.5 %"), TopologyGraph.EMPTY),
                        around(array("resyncing 9.1 %"), TopologyGraph.EMPTY)))
                .isEmpty();
    }

    private static SystemIo array(String state) {
        StorageDevice array = new StorageDevice(
                "md0",
                StorageDevice.StorageKind.RAID,
                Reading.notProbed(),
                Reading.known("raid1", Provenance.GIVEN),
                Reading.notProbed(),
                Reading.known(state, Provenance.GIVEN));
        return SystemIo.of(List.of(), List.of(array), Reading.notProbed());
    }

    @Test
    void furtherMemoryChanges() {
        MemoryDevice apart = new MemoryDevice(
                MemoryDevice.MemoryKind.DAX,
                "dax0.0",
                Reading.known(Bytes.ofGib(100), Provenance.GIVEN),
                Reading.known(4L, Provenance.GIVEN),
                Reading.known("device_dax", Provenance.GIVEN));
        MemoryDevice silent = new MemoryDevice(
                MemoryDevice.MemoryKind.CXL, "mem0", Reading.notProbed(), Reading.notProbed(), Reading.notProbed());
        assertThat(items(around(with(apart), TopologyGraph.EMPTY), around(with(silent), TopologyGraph.EMPTY)))
                .containsExactly(
                        new ItemChange("memory", "dax0.0 (DAX, 100.0 GiB, NUMA node 4, device_dax)", false),
                        new ItemChange("memory", "mem0 (CXL)", true));
    }

    private static SystemIo with(MemoryDevice device) {
        return new SystemIo(List.of(), List.of(), List.of(device), Reading.notProbed());
    }

    @Test
    void theEnvironmentChanges() {
        RuntimeEnvironment bare =
                RuntimeEnvironment.of(false, false, Reading.notProbed(), Reading.notProbed(), Reading.notProbed());
        RuntimeEnvironment pod = RuntimeEnvironment.of(
                true,
                true,
                Reading.known("default", Provenance.GIVEN),
                Reading.known(
                        new CloudInstance(
                                "aws",
                                Reading.known("p5.48xlarge", Provenance.GIVEN),
                                Reading.notProbed(),
                                Reading.notProbed(),
                                Reading.notProbed()),
                        Provenance.GIVEN),
                Reading.notProbed());
        assertThat(items(around(in(bare), TopologyGraph.EMPTY), around(in(pod), TopologyGraph.EMPTY)))
                .containsExactly(
                        new ItemChange("environment", "no container, no cloud known", false),
                        new ItemChange("environment", "container, Kubernetes, aws p5.48xlarge", true));
        assertThat(items(around(in(bare), TopologyGraph.EMPTY), around(SystemIo.EMPTY, TopologyGraph.EMPTY)))
                .hasSize(1);
    }

    private static SystemIo in(RuntimeEnvironment environment) {
        return SystemIo.of(List.of(), List.of(), Reading.known(environment, Provenance.GIVEN));
    }

    @Test
    void linksAndNodesChange() {
        TopologyNode a = TopologyNode.DeviceNode.of(new DeviceId("cuda:0"));
        TopologyNode b = TopologyNode.DeviceNode.of(new DeviceId("cuda:1"));
        TopologyNode nic = new TopologyNode.Nic(new NodeId("nic:mlx5_0"), "mlx5_0");
        TopologyGraph up = TopologyGraph.of(List.of(a, b), List.of(link(a, b, Link.LinkState.UP)));
        TopologyGraph down = TopologyGraph.of(List.of(a, b, nic), List.of(link(a, b, Link.LinkState.DOWN)));
        assertThat(items(around(SystemIo.EMPTY, up), around(SystemIo.EMPTY, down)))
                .containsExactly(
                        new ItemChange("node", "nic:mlx5_0", true),
                        new ItemChange("link", "device:cuda:0 – device:cuda:1 (nvlink x12, 300.0 GB/s, up)", false),
                        new ItemChange("link", "device:cuda:0 – device:cuda:1 (nvlink x12, 300.0 GB/s, down)", true));
    }

    private static Link link(TopologyNode from, TopologyNode to, Link.LinkState state) {
        return new Link(
                from.id(),
                to.id(),
                LinkKind.NVLINK,
                12,
                Reading.known(new Bandwidth(300), Provenance.GIVEN),
                Reading.known(state, Provenance.GIVEN));
    }

    @Test
    void gapsOpenAndClose() {
        assertThat(items(
                        around(SystemIo.EMPTY, TopologyGraph.EMPTY, new Gap.ToolNotFound("hl-smi")),
                        around(SystemIo.EMPTY, TopologyGraph.EMPTY, new Gap.Timeout("hl-smi", 5))))
                .containsExactly(
                        new ItemChange("gap", "hl-smi: tool not found on $PATH", false),
                        new ItemChange("gap", "hl-smi: timed out after 5.0s", true));
    }
}
