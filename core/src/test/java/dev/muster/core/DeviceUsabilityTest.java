// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.DeviceUsability.Obstacle;
import dev.muster.core.DeviceUsability.Reason;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Ratio;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeviceUsabilityTest {
    private static AcceleratorProfile.ProfileBuilder gpu() {
        return AcceleratorProfile.cuda(0, Bytes.ofGib(80)).toBuilder();
    }

    private static <T> DeviceUsability with(DeviceFact<T> fact, T value) {
        return DeviceUsability.of(
                gpu().with(fact, Reading.known(value, Provenance.GIVEN)).build());
    }

    private static <T> void assertObstacle(DeviceFact<T> fact, T value, Obstacle obstacle, String words) {
        DeviceUsability usability = with(fact, value);
        assertThat(usability.isUsable()).isFalse();
        assertThat(usability.findObstacle()).hasValueSatisfying(reason -> {
            assertThat(reason.obstacle()).isEqualTo(obstacle);
            assertThat(reason.words()).isEqualTo(words);
            assertThat(reason.evidence()).contains(fact);
        });
    }

    @Test
    void aDeviceWithoutFaultHasNoReasons() {
        assertThat(DeviceUsability.of(gpu().build())).isEqualTo(new DeviceUsability(List.of()));
        assertThat(with(DeviceFact.HEALTH, "OK").reasons()).isEmpty();
        assertThat(with(DeviceFact.FABRIC_STATE, "completed").reasons()).isEmpty();
        assertThat(with(DeviceFact.ROW_REMAPPING, "ok").reasons()).isEmpty();
        assertThat(with(DeviceFact.SRAM_THRESHOLD_EXCEEDED, false).reasons()).isEmpty();
        assertThat(with(DeviceFact.ECC_UNCORRECTED_LIFETIME, 57L).reasons()).isEmpty();
        assertThat(with(DeviceFact.THROTTLING, "sw power cap").reasons()).isEmpty();
    }

    @Test
    void eachFaultIsAnObstacleWithItsEvidence() {
        assertObstacle(DeviceFact.HEALTH, "reset required", Obstacle.UNHEALTHY, "is unhealthy: reset required");
        assertObstacle(DeviceFact.COMPUTE_MODE, "prohibited", Obstacle.UNAVAILABLE, "is in compute mode prohibited");
        assertObstacle(
                DeviceFact.HIDDEN_BY, "CUDA_VISIBLE_DEVICES=1", Obstacle.HIDDEN, "is hidden by CUDA_VISIBLE_DEVICES=1");
        assertObstacle(
                DeviceFact.FABRIC_STATE, "in progress", Obstacle.UNAVAILABLE, "has an incomplete fabric: in progress");
        assertObstacle(
                DeviceFact.FABRIC_STATE,
                "completed, unhealthy (route recovery in progress)",
                Obstacle.UNHEALTHY,
                "has an unhealthy fabric: completed, unhealthy (route recovery in progress)");
        assertObstacle(DeviceFact.FABRIC_LINKS_DOWN, 1L, Obstacle.UNHEALTHY, "has 1 of 1 fabric link down");
        assertObstacle(DeviceFact.ECC_UNCORRECTED, 1L, Obstacle.UNHEALTHY, "has 1 uncorrected memory error");
        assertObstacle(DeviceFact.ROW_REMAPPING, "failed", Obstacle.UNHEALTHY, "could not remap a faulty memory row");
        assertObstacle(
                DeviceFact.SRAM_THRESHOLD_EXCEEDED, true, Obstacle.UNHEALTHY, "exceeded the threshold of SRAM errors");
        assertObstacle(
                DeviceFact.UTILIZATION,
                new Ratio(0.51),
                Obstacle.IN_USE,
                "is in use: 51 % load, 0 % of its memory taken");
    }

    @Test
    void warningsLeaveADeviceUsable() {
        for (DeviceUsability usability : List.of(
                with(DeviceFact.ROW_REMAPPING, "pending"),
                with(DeviceFact.FABRIC_STATE, "completed, bandwidth degraded"),
                with(DeviceFact.THROTTLING, "hw thermal slowdown"))) {
            assertThat(usability.isUsable()).isTrue();
            assertThat(usability.faults()).extracting(Reason::obstacle).containsExactly(Obstacle.WARNING);
        }
    }

    @Test
    void useAndDivisionAreNoFaults() {
        assertThat(with(DeviceFact.MEMORY_FREE, Bytes.ofGib(10)).faults()).isEmpty();
        assertThat(with(DeviceFact.MEMORY_FREE, Bytes.ofGib(10)).find(Obstacle.IN_USE))
                .isPresent();
        assertThat(with(DeviceFact.MEMORY_FREE, Bytes.ofGib(40)).reasons()).isEmpty();
    }

    @Test
    void memoryThatTheHostUsesTooDoesNotMakeADeviceBusy() {
        AcceleratorProfile apu = AcceleratorProfile.rocm(0, Bytes.ofMib(512)).toBuilder()
                .with(DeviceFact.MEMORY_USED, Reading.known(Bytes.ofMib(400), Provenance.GIVEN))
                .with(DeviceFact.MEMORY_SHARED, Reading.known(Bytes.ofGib(120), Provenance.GIVEN))
                .with(DeviceFact.MEMORY_SHARED_FREE, Reading.known(Bytes.ofGib(30), Provenance.GIVEN))
                .build();

        assertThat(DeviceUsability.of(apu).isUsable()).isTrue();
        assertThat(apu.usableMemory().find()).contains(Bytes.ofGib(120));
        assertThat(apu.usableMemoryFree().find()).contains(Bytes.ofGib(30));
    }

    @Test
    void aGpuThatReachesTheHostsMemoryKeepsItsOwn() {
        AcceleratorProfile hopper = gpu().with(
                        DeviceFact.MEMORY_SHARED, Reading.known(Bytes.ofGib(480), Provenance.GIVEN))
                .build();

        assertThat(hopper.sharesHostMemory()).isFalse();
        assertThat(hopper.usableMemory().find()).contains(Bytes.ofGib(80));
    }
}
