// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Fabric;
import dev.muster.plan.training.TrainingCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnlikeDevicesTest {
    private static DevicePool pool(String id, int count) {
        return DevicePool.of(DeviceFigures.of(DeviceCatalogue.builtIn().find(id).orElseThrow()), id, count);
    }

    @Test
    void allAreAsSlowAndAsSmallAsTheLeast() {
        DevicePool fast = pool("h100-sxm", 4);
        DevicePool slow = pool("a100-sxm4-40", 2);
        DevicePool both = UnlikeDevices.pool(List.of(fast, slow)).orElseThrow();
        assertThat(both.count()).isEqualTo(6);
        assertThat(both.name()).isEqualTo("h100-sxm and a100-sxm4-40");
        assertThat(both.device().memory()).isEqualTo(slow.device().memory());
        assertThat(both.device().half()).isEqualTo(slow.device().half());
        assertThat(both.device().bandwidth()).isEqualTo(slow.device().bandwidth());
        assertThat(both.device().leastFloatBits()).isEqualTo(16);
        // Neither has a link to the other but through the host.
        assertThat(both.device().link()).isLessThan(slow.device().link());
        assertThat(both.device().power())
                .contains((4 * fast.device().power().orElseThrow()
                                + 2 * slow.device().power().orElseThrow())
                        / 6);
    }

    @Test
    void thoseThatAreFasterWait() {
        DevicePool fast = pool("h100-sxm", 4);
        DevicePool slow = pool("a100-sxm4-40", 2);
        assertThat(waiting(List.of(fast, slow))).containsExactly(fast);
        assertThat(waiting(List.of(slow))).isEmpty();
    }

    @Test
    void oneKindAndSeveralMakersAreNoPool() {
        assertThat(UnlikeDevices.pool(List.of(pool("h100-sxm", 8)))).isEmpty();
        assertThat(UnlikeDevices.pool(List.of(pool("h100-sxm", 4), pool("mi300x", 4))))
                .isEmpty();
    }

    private static List<DevicePool> waiting(List<DevicePool> kinds) {
        DevicePool first = kinds.getFirst();
        return new TrainingCluster(first, 8, Fabric.of(first.device(), 8, 50e9))
                .withKinds(kinds)
                .waiting();
    }
}
