// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.synthetic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.fleet.HostReport;
import dev.muster.fleet.HostState;
import dev.muster.plan.catalogue.DeviceCatalogue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class SyntheticFleetSharesTest {
    private static final List<HostReport> HOSTS = read("5000xh100-sxm:2,seed=11");

    private static List<HostReport> read(String text) {
        return SyntheticFleet.parse(text, DeviceCatalogue.builtIn(), InstantSource.fixed(Instant.EPOCH))
                .read(Duration.ofSeconds(60))
                .hosts();
    }

    private static double share(List<HostReport> hosts, Predicate<HostReport> condition) {
        return (double) hosts.stream().filter(condition).count() / hosts.size();
    }

    private static boolean isReady(HostReport host) {
        return host.state().kind() == HostState.HostStateKind.READY;
    }

    @Test
    void sevenOfTenReadyHostsHaveAJob() {
        List<HostReport> ready =
                HOSTS.stream().filter(SyntheticFleetSharesTest::isReady).toList();
        assertThat(share(ready, host -> !host.claims().isEmpty())).isBetween(0.68, 0.72);
    }

    @Test
    void oneOfAHundredHostsIsDownAndTwoAreDraining() {
        assertThat(share(HOSTS, host -> host.state().kind() == HostState.HostStateKind.DOWN))
                .isBetween(0.007, 0.013);
        assertThat(share(HOSTS, host -> host.state().kind() == HostState.HostStateKind.DRAINING))
                .isBetween(0.016, 0.024);
        assertThat(HOSTS)
                .filteredOn(host -> !isReady(host))
                .allSatisfy(host -> assertThat(host.claims()).isEmpty());
    }

    @Test
    void oneOfTwoHundredHostsHasLostADevice() {
        assertThat(share(HOSTS, SyntheticFleetSharesTest::hasLost)).isBetween(0.003, 0.007);
    }

    private static boolean hasLost(HostReport host) {
        return !host.registry().profiles().stream().allMatch(AcceleratorProfile::available);
    }

    @Test
    void aLeafSwitchJoins32Hosts() {
        assertThat(HOSTS.get(31).domains()).isEqualTo(HOSTS.getFirst().domains());
        assertThat(HOSTS.get(32).domains()).isNotEqualTo(HOSTS.getFirst().domains());
    }
}
