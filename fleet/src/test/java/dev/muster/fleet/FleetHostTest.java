// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Partition;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Ratio;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FleetHostTest {
    private static final HostState READY = new HostState(HostState.HostStateKind.READY, "MIXED", "");

    private static AcceleratorProfile.ProfileBuilder gpu(long number) {
        return AcceleratorProfile.cuda(number, Bytes.ofGib(80)).toBuilder();
    }

    private static <T> Reading<T> known(T value) {
        return Reading.known(value, Provenance.GIVEN);
    }

    private static FleetHost host(HostState state, AcceleratorProfile... devices) {
        return new FleetHost(
                "n1",
                AcceleratorRegistry.of(List.of(devices)),
                state,
                List.of(),
                List.of(),
                List.of(),
                Map.of(),
                List.of("file"),
                List.of());
    }

    private static List<String> ids(List<AcceleratorProfile> devices) {
        return devices.stream().map(device -> device.id().text()).toList();
    }

    @Test
    void withoutASchedulerBusyAndUnhealthyDevicesAreNotFree() {
        AcceleratorProfile busy =
                gpu(0).with(DeviceFact.UTILIZATION, known(new Ratio(0.98))).build();
        AcceleratorProfile ill =
                gpu(1).with(DeviceFact.HEALTH, known("reset required")).build();
        AcceleratorProfile idle = gpu(2).build();

        assertThat(ids(host(HostState.UNKNOWN, busy, ill, idle).free())).containsExactly("cuda:2");
        assertThat(ids(host(READY, busy, ill, idle).free()))
                .as("the scheduler knows who keeps it busy")
                .containsExactly("cuda:0", "cuda:2");
    }

    @Test
    void aGpuInMigModeWithoutSlicesIsListedAndNotFree() {
        AcceleratorProfile divided =
                gpu(0).with(DeviceFact.PARTITIONING, known("MIG")).build();
        AcceleratorProfile slice = gpu(0).partition(new Partition(new DeviceId("cuda:0"), "MIG-1", "1g.10gb"))
                .build();

        FleetHost empty = host(READY, divided);
        assertThat(ids(empty.accelerators())).containsExactly("cuda:0");
        assertThat(empty.free()).isEmpty();
        FleetHost sliced = host(READY, divided, slice);
        assertThat(sliced.accelerators()).containsExactly(slice);
        assertThat(sliced.free()).containsExactly(slice);
    }
}
