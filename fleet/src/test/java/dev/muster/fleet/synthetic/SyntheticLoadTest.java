// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.synthetic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.fleet.HostReport;
import dev.muster.plan.catalogue.DeviceCatalogue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SyntheticLoadTest {
    private static List<HostReport> at(long second, String text) {
        return SyntheticFleet.parse(text, DeviceCatalogue.builtIn(), InstantSource.fixed(Instant.ofEpochSecond(second)))
                .read(Duration.ofSeconds(1))
                .hosts();
    }

    @Test
    void heldDevicesComputeAndFreeOnesDoNot() {
        for (HostReport host : at(5, "30xh100-sxm:8,seed=7,live")) {
            Set<DeviceId> held = new HashSet<>();
            host.claims().forEach(claim -> held.addAll(claim.devices()));
            for (AcceleratorProfile device : host.registry().profiles()) {
                double load = device.number(DeviceFact.UTILIZATION).orElse(0);
                assertThat(load).isBetween(0.0, held.contains(device.id()) ? 1.0 : 0.0);
            }
        }
    }

    @Test
    void loadsChangeWithTimeAndAreTheSameAtTheSameTime() {
        String text = "30xh100-sxm:8,seed=7,live";
        assertThat(at(5, text)).isEqualTo(at(5, text)).isNotEqualTo(at(35, text));
        assertThat(at(5, "3xh100-sxm:8,seed=7").getFirst().registry().profiles())
                .allMatch(device -> device.number(DeviceFact.UTILIZATION).isEmpty());
    }
}
