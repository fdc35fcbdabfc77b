// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PreflightTest {
    private static final AcceleratorProfile CPU = AcceleratorProfile.cpu(Bytes.ofGib(64));

    private static AcceleratorProfile cuda(long id, long gib, long freeGib) {
        return AcceleratorProfile.cuda(id, Bytes.ofGib(gib)).toBuilder()
                .with(DeviceFact.MEMORY_FREE, Reading.known(Bytes.ofGib(freeGib), Provenance.GIVEN))
                .build();
    }

    private static Preflight gpus(int count) {
        return new Preflight(AcceleratorRequirement.GPU, count, Bytes.ZERO, Bytes.ZERO, Bytes.ZERO, Set.of());
    }

    private static Preflight asking(int count, Bytes memory, Bytes free, Bytes total) {
        return new Preflight(AcceleratorRequirement.GPU, count, memory, free, total, Set.of());
    }

    private static Preflight joined(int count, LinkKind... kinds) {
        return new Preflight(AcceleratorRequirement.GPU, count, Bytes.ZERO, Bytes.ZERO, Bytes.ZERO, Set.of(kinds));
    }

    private static AcceleratorRegistry of(AcceleratorProfile... profiles) {
        return AcceleratorRegistry.of(List.of(profiles));
    }

    private static Finding last(List<Finding> findings) {
        return findings.getLast();
    }

    @Test
    void asksOnlyWhatIsSet() {
        assertThat(gpus(1).examine(of(CPU, cuda(0, 80, 80))))
                .containsExactly(Finding.pass("count", "1 devices that satisfy 'gpu', 1 required"));
    }

    @Test
    void countsTheDevicesThatSatisfyTheRequirement() {
        AcceleratorRegistry registry = of(
                CPU,
                cuda(0, 80, 80),
                cuda(1, 80, 80).toBuilder().available(false).build());
        assertThat(last(gpus(2).examine(registry)))
                .isEqualTo(
                        Finding.fail("count", "1 devices that satisfy 'gpu', 2 required; cuda:1 cannot be used", ""));
        assertThat(last(gpus(0).examine(of(CPU))).isPassed()).isTrue();
    }

    @Test
    void countsSlicesInPlaceOfTheDeviceThatIsDivided() {
        AcceleratorProfile whole = cuda(0, 80, 80);
        AcceleratorProfile slice = whole.toBuilder()
                .partition(new Partition(whole.id(), "MIG-1", "7g.80gb"))
                .build();
        assertThat(asking(2, Bytes.ofGib(1), Bytes.ZERO, Bytes.ofGib(81)).examine(of(CPU, whole, slice)))
                .extracting(Finding::message)
                .containsExactly(
                        "1 devices that satisfy 'gpu', 2 required",
                        "1 of them with at least 1.0 GiB, 2 required",
                        "80.0 GiB together, 81.0 GiB required");
    }

    @Test
    void unifiedMemoryIsWhatTheHostHasWithinTheLimitOfTheControlGroup() {
        AcceleratorProfile spark = AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 0))
                .with(DeviceFact.MEMORY, Reading.notSupported("shares the host's memory"))
                .with(DeviceFact.MEMORY_SHARED, Reading.known(Bytes.ofGib(120), Provenance.GIVEN))
                .with(DeviceFact.MEMORY_SHARED_FREE, Reading.known(Bytes.ofGib(40), Provenance.GIVEN))
                .build();
        assertThat(last(asking(1, Bytes.ofGib(60), Bytes.ZERO, Bytes.ZERO).examine(of(CPU, spark)))
                        .isPassed())
                .isTrue();
        assertThat(last(asking(1, Bytes.ZERO, Bytes.ofGib(60), Bytes.ZERO).examine(of(CPU, spark)))
                        .isPassed())
                .isFalse();

        RuntimeEnvironment small = new RuntimeEnvironment(
                true,
                false,
                Reading.notProbed(),
                Reading.notProbed(),
                Reading.notProbed(),
                Reading.notProbed(),
                Reading.known(Bytes.ofGib(8), Provenance.GIVEN),
                Reading.notProbed(),
                Reading.notProbed(),
                Reading.notProbed(),
                Map.of());
        AcceleratorRegistry contained = new AcceleratorRegistry(
                AcceleratorRegistry.REFERENCE_SCHEMA,
                List.of(CPU, spark),
                List.of(),
                new SystemIo(List.of(), List.of(), List.of(), Reading.known(small, Provenance.GIVEN)),
                TopologyGraph.EMPTY,
                Reading.notProbed());
        assertThat(last(asking(1, Bytes.ofGib(60), Bytes.ZERO, Bytes.ZERO).examine(contained))
                        .isPassed())
                .isFalse();
        assertThat(contained.usableMemoryFree(spark).find()).contains(Bytes.ofGib(8));
    }

    @Test
    void asksMemoryOfEachDevice() {
        AcceleratorRegistry registry = of(CPU, cuda(0, 80, 80), cuda(1, 40, 40));
        assertThat(asking(1, Bytes.ofGib(80), Bytes.ZERO, Bytes.ZERO).examine(registry))
                .extracting(Finding::id, Finding::isPassed)
                .containsExactly(tuple("count", true), tuple("memory", true));
        assertThat(last(asking(2, Bytes.ofGib(80), Bytes.ZERO, Bytes.ZERO).examine(registry)))
                .isEqualTo(Finding.fail("memory", "1 of them with at least 80.0 GiB, 2 required", ""));
    }

    @Test
    void unknownMemoryIsNotEnoughAndIsSaid() {
        AcceleratorProfile silent = AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 0))
                .build();
        assertThat(last(asking(1, Bytes.ofGib(1), Bytes.ZERO, Bytes.ZERO).examine(of(silent))))
                .isEqualTo(Finding.fail(
                        "memory", "0 of them with at least 1.0 GiB (1 of unknown memory), 1 required", ""));
    }

    @Test
    void asksFreeMemoryOfTheDevicesThatAreLargeEnough() {
        AcceleratorRegistry registry = of(cuda(0, 80, 10), cuda(1, 40, 40));
        assertThat(last(asking(1, Bytes.ofGib(80), Bytes.ofGib(20), Bytes.ZERO).examine(registry)))
                .isEqualTo(Finding.fail("free-memory", "0 of them with at least 20.0 GiB free, 1 required", ""));
        assertThat(last(asking(1, Bytes.ZERO, Bytes.ofGib(20), Bytes.ZERO).examine(registry))
                        .isPassed())
                .isTrue();
    }

    @Test
    void asksMemoryOfAllTogether() {
        AcceleratorRegistry registry = of(CPU, cuda(0, 80, 80), cuda(1, 40, 40));
        assertThat(last(asking(0, Bytes.ZERO, Bytes.ZERO, Bytes.ofGib(120)).examine(registry)))
                .isEqualTo(Finding.pass("total-memory", "120.0 GiB together, 120.0 GiB required"));
        assertThat(last(asking(0, Bytes.ZERO, Bytes.ZERO, Bytes.ofGib(121)).examine(registry))
                        .isPassed())
                .isFalse();
    }

    @Test
    void findsEvenMoreMemoryThanCanBeCounted() {
        AcceleratorProfile vast = AcceleratorProfile.cuda(0, Bytes.MAX);
        AcceleratorProfile small = AcceleratorProfile.cuda(1, Bytes.ofGib(1));
        assertThat(last(asking(2, Bytes.ZERO, Bytes.ZERO, Bytes.ofGib(2)).examine(of(vast, small)))
                        .isPassed())
                .isTrue();
    }

    @Test
    void asksForAFabricThatJoinsTheDevices() {
        AcceleratorRegistry registry = onOneSwitch(LinkKind.NVLINK, Link.LinkState.UP, 3);
        assertThat(last(joined(3, LinkKind.NVLINK).examine(registry)))
                .isEqualTo(Finding.pass("link", "3 joined by nvlink, 3 required"));
        assertThat(last(joined(4, LinkKind.NVLINK).examine(registry)).isPassed())
                .isFalse();
        assertThat(last(joined(3, LinkKind.XGMI).examine(registry)))
                .isEqualTo(Finding.fail("link", "0 joined by xgmi, 3 required", ""));
        assertThat(last(joined(3, LinkKind.XGMI, LinkKind.NVLINK).examine(registry)))
                .isEqualTo(Finding.pass("link", "3 joined by nvlink or xgmi, 3 required"));
    }

    @Test
    void aLinkThatIsDownJoinsNothing() {
        assertThat(last(joined(2, LinkKind.NVLINK).examine(onOneSwitch(LinkKind.NVLINK, Link.LinkState.DOWN, 3)))
                        .isPassed())
                .isFalse();
    }

    @Test
    void saysThatTheTopologyIsMissing() {
        assertThat(last(joined(2, LinkKind.NVLINK).examine(of(cuda(0, 80, 80), cuda(1, 80, 80)))))
                .isEqualTo(Finding.fail("link", "0 joined by nvlink (the registry holds no topology), 2 required", ""));
    }

    @Test
    void countsOnlySuitableDevicesOfAFabric() {
        AcceleratorRegistry registry = onOneSwitch(LinkKind.NVLINK, Link.LinkState.UP, 3);
        Preflight preflight = new Preflight(
                AcceleratorRequirement.GPU, 2, Bytes.ofGib(41), Bytes.ZERO, Bytes.ZERO, Set.of(LinkKind.NVLINK));
        assertThat(last(preflight.examine(registry))).isEqualTo(Finding.pass("link", "2 joined by nvlink, 2 required"));
    }

    @Test
    void aCountIsNotNegative() {
        assertThatIllegalArgumentException().isThrownBy(() -> gpus(-1)).withMessageContaining("-1");
    }

    /// GPUs of 40, 41, 42 … GiB, all on one switch.
    private static AcceleratorRegistry onOneSwitch(LinkKind kind, Link.LinkState state, int count) {
        List<AcceleratorProfile> profiles = new ArrayList<>();
        List<TopologyNode> nodes = new ArrayList<>();
        List<Link> links = new ArrayList<>();
        NodeId hub = new NodeId("nvswitch:0");
        nodes.add(new TopologyNode.FabricSwitch(hub, "NVSwitch"));
        for (int i = 0; i < count; i++) {
            AcceleratorProfile profile = cuda(i, 40 + i, 40);
            TopologyNode node = TopologyNode.DeviceNode.of(profile.id());
            profiles.add(profile);
            nodes.add(node);
            links.add(new Link(node.id(), hub, kind, 12, Reading.notProbed(), Reading.known(state, Provenance.GIVEN)));
        }
        return new AcceleratorRegistry(
                3, profiles, List.of(), SystemIo.EMPTY, TopologyGraph.of(nodes, links), Reading.notProbed());
    }
}
