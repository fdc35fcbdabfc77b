// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetHost;
import dev.muster.fleet.HostState;
import dev.muster.monitor.SampleHistory;
import dev.muster.monitor.Sampler;
import dev.muster.plan.Planner;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class FleetEndpointTest {
    private final AtomicReference<Fleet> fleet = new AtomicReference<>(fleet(1, 0));

    @Test
    void theTagChangesWithTheHostsAndNotWithTheTimeOfReading() {
        try (Sampler sampler = Sampler.start(
                () -> ServerFixture.devices(1),
                Duration.ofMinutes(1),
                SampleHistory.ofLength(1),
                InstantSource.system())) {
            FleetEndpoint endpoint = new FleetEndpoint(new ServerSources(
                    sampler, Planner::of, List.of(), Optional.of(fleet::get), List::of, InstantSource.system()));
            Answer first = answer(endpoint);
            assertThat(first.tag()).startsWith("W/\"").endsWith("\"");
            assertThat(answer(endpoint)).as("not built again").isSameAs(first);

            fleet.set(fleet(1, 60));
            assertThat(answer(endpoint).tag()).isEqualTo(first.tag());

            fleet.set(fleet(2, 60));
            assertThat(answer(endpoint).tag()).isNotEqualTo(first.tag());
        }
    }

    private static Answer answer(FleetEndpoint endpoint) {
        return ((Endpoint.Now) endpoint.routes().getFirst().endpoint())
                .answer()
                .apply(new ServerRequest(Map.of(), Map.of(), "", ""));
    }

    private static Fleet fleet(int devices, long second) {
        FleetHost host = new FleetHost(
                "n1",
                ServerFixture.devices(devices),
                HostState.UNKNOWN,
                List.of(),
                List.of(),
                List.of(),
                Map.of(),
                List.of("slurm"),
                List.of());
        return new Fleet(
                List.of(host),
                List.of(new Fleet.SourceState(
                        "slurm", Reading.known(Instant.ofEpochSecond(second), Provenance.GIVEN), "")));
    }
}
