// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.synthetic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.fleet.Claim;
import dev.muster.fleet.HostReport;
import dev.muster.fleet.HostState.HostStateKind;
import dev.muster.plan.catalogue.DeviceCatalogue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class SyntheticFleetTest {
    private static final List<HostReport> HOSTS = SyntheticFleet.parse(
                    "1000xh100-sxm:8,seed=7", DeviceCatalogue.builtIn(), InstantSource.fixed(Instant.EPOCH))
            .read(Duration.ofSeconds(1))
            .hosts();

    private static long count(HostStateKind state) {
        return HOSTS.stream().filter(host -> host.state().kind() == state).count();
    }

    /// Draws follow from the seed, so that shares are exact: 1 % down, 2 % draining, 70 % of the others busy.
    @Test
    void sharesOfAStatedSeedAreExact() {
        assertThat(HOSTS).hasSize(1000);
        assertThat(count(HostStateKind.READY)).isEqualTo(975);
        assertThat(count(HostStateKind.DRAINING)).isEqualTo(18);
        assertThat(count(HostStateKind.DOWN)).isEqualTo(7);
        assertThat(HOSTS).filteredOn(host -> !host.claims().isEmpty()).hasSize(693);
        assertThat(HOSTS.stream()
                        .flatMap(host -> host.claims().stream())
                        .mapToInt(Claim::count)
                        .sum())
                .isEqualTo(3118);
    }
}
