// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.DeviceUsability.Obstacle;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Ratio;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeviceChoiceTest {
    private static final AcceleratorRegistry BOX = AcceleratorRegistry.of(List.of(
            AcceleratorProfile.cpu(Bytes.ofGib(512)),
            gpu(0).with(DeviceFact.UTILIZATION, given(new Ratio(0.98)))
                    .with(DeviceFact.MEMORY_FREE, given(Bytes.ofGib(8)))
                    .build(),
            gpu(1).with(DeviceFact.UUID, given("GPU-1a2b3c4d-0000")).build(),
            gpu(2).available(false)
                    .with(DeviceFact.HEALTH, given("the driver does not answer"))
                    .build(),
            gpu(3).with(DeviceFact.ECC_UNCORRECTED, given(3L)).build(),
            gpu(4).with(DeviceFact.FABRIC_STATE, given("completed, unhealthy")).build(),
            gpu(5).with(DeviceFact.PARTITIONING, given("MIG")).build(),
            slice(5, "MIG-77-1"),
            gpu(6).with(DeviceFact.MEMORY_USED, given(Bytes.ofGib(1))).build()));

    private static AcceleratorProfile.ProfileBuilder gpu(long number) {
        return AcceleratorProfile.cuda(number, Bytes.ofGib(80)).toBuilder();
    }

    private static AcceleratorProfile slice(long parent, String id) {
        return AcceleratorProfile.cuda(parent, Bytes.ofGib(39)).toBuilder()
                .partition(new Partition(new DeviceId("cuda:" + parent), id, "3g.40gb"))
                .build();
    }

    private static <T> Reading<T> given(T value) {
        return Reading.known(value, Provenance.GIVEN);
    }

    private static List<String> ids(List<AcceleratorProfile> devices) {
        return devices.stream().map(device -> device.id().text()).toList();
    }

    @Test
    void leavesOutWhatIsLostUnwellDividedOrInUse() {
        DeviceChoice choice = DeviceChoice.defaults(BOX);
        assertThat(ids(choice.devices())).containsExactly("cpu:0", "cuda:1", "cuda:5/MIG-77-1", "cuda:6");
        assertThat(choice.excluded())
                .extracting(DeviceChoice.ExcludedDevice::reason)
                .containsExactly(
                        Obstacle.IN_USE,
                        Obstacle.UNAVAILABLE,
                        Obstacle.UNHEALTHY,
                        Obstacle.UNHEALTHY,
                        Obstacle.PARTITIONED);
        assertThat(choice.excluded())
                .extracting(DeviceChoice.ExcludedDevice::sentence)
                .containsExactly(
                        "cuda:0 is in use: 98 % load, 90 % of its memory taken",
                        "cuda:2 cannot be used: the driver does not answer",
                        "cuda:3 has 3 uncorrected memory errors",
                        "cuda:4 has an unhealthy fabric: completed, unhealthy",
                        "cuda:5 is divided; its slice is a device instead");
    }

    @Test
    void namesOverrideTheRule() {
        assertThat(ids(DeviceChoice.named(BOX, "cuda:0,3").accelerators())).containsExactly("cuda:0", "cuda:3");
        assertThat(ids(DeviceChoice.named(BOX, "GPU-1a2b").accelerators())).containsExactly("cuda:1");
        assertThat(ids(DeviceChoice.named(BOX, "MIG-77-1").accelerators())).containsExactly("cuda:5/MIG-77-1");
        assertThat(ids(DeviceChoice.named(BOX, "all").accelerators()))
                .containsExactly("cuda:0", "cuda:1", "cuda:3", "cuda:4", "cuda:5/MIG-77-1", "cuda:6");
    }

    @Test
    void saysWhichNameMeansNothing() {
        assertThatThrownBy(() -> DeviceChoice.named(BOX, "cuda:1,9"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("no device matches 'cuda:9'; there are cuda:0, cuda:1");
        assertThatThrownBy(() -> DeviceChoice.named(AcceleratorRegistry.of(List.of()), "cuda:0"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no device matches 'cuda:0'; the registry has none");
    }

    @Test
    void aSliceOfAnUnwellDeviceIsLeftOut() {
        AcceleratorRegistry registry = AcceleratorRegistry.of(List.of(
                gpu(0).with(DeviceFact.PARTITIONING, given("MIG"))
                        .with(DeviceFact.ECC_UNCORRECTED, given(1L))
                        .build(),
                slice(0, "MIG-1")));
        assertThat(DeviceChoice.defaults(registry).devices()).isEmpty();
    }

    @Test
    void checksCountOnlyWhatMayBeUsed() {
        Preflight eight = new Preflight(AcceleratorRequirement.GPU, 8, Bytes.ZERO, Bytes.ZERO, Bytes.ZERO, Set.of());
        Finding count = eight.examine(BOX).getFirst();
        assertThat(count.isPassed()).isFalse();
        assertThat(count.message())
                .startsWith("3 devices that satisfy 'gpu', 8 required; cuda:0 is in use")
                .contains("cuda:3 has 3 uncorrected memory errors");
    }
}
