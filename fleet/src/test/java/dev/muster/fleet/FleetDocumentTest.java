// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.json.DocumentException;
import dev.muster.fleet.Fleet.SourceState;
import dev.muster.fleet.FleetHost.Contradiction;
import dev.muster.fleet.FleetHost.Statement;
import dev.muster.fleet.synthetic.SyntheticFleet;
import dev.muster.plan.catalogue.DeviceCatalogue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FleetDocumentTest {
    private static Fleet made(String text) {
        SyntheticFleet source =
                SyntheticFleet.parse(text, DeviceCatalogue.builtIn(), InstantSource.fixed(Instant.EPOCH));
        return Fleet.merge(List.of(source.read(Duration.ofSeconds(60))));
    }

    private static String write(Fleet fleet) throws IOException {
        StringBuilder text = new StringBuilder();
        FleetDocument.write(fleet, text);
        return text.toString();
    }

    private static Fleet read(String text) throws IOException {
        return FleetDocument.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        Fleet fleet = made("40xh100-sxm:8,10xmi300x:4,seed=3");
        FleetHost first = fleet.hosts().getFirst();
        FleetHost odd = new FleetHost(
                "odd \"host\"",
                first.registry(),
                HostState.UNKNOWN,
                List.of(),
                List.of(),
                List.of(),
                Map.of("a]}", "b\\\""),
                List.of("x"),
                List.of(new Contradiction("devices", List.of(new Statement("x", "1"), new Statement("y", "2")))));
        List<FleetHost> hosts = new ArrayList<>(fleet.hosts());
        hosts.add(odd);
        List<SourceState> sources = List.of(
                new SourceState(
                        "slurm",
                        Reading.known(Instant.EPOCH, Provenance.GIVEN),
                        "it is gone",
                        List.of(
                                new Gap.Timeout("ssh n1", 3),
                                new Gap.ToolNotFound("muster"),
                                new Gap.ToolFailed("x", Reading.known(3, Provenance.GIVEN), "bad"))),
                new SourceState("b", Reading.notProbed(), ""));
        Fleet whole = new Fleet(hosts, sources);
        Fleet back = read(write(whole));
        assertThat(back.hosts()).isEqualTo(whole.hosts());
        assertThat(back.sources()).isEqualTo(whole.sources());
        assertThat(write(back)).isEqualTo(write(whole));
    }

    @Test
    void hostsOfOneKindShareARegistry() throws IOException {
        String text = write(made("40xh100-sxm:8,10xmi300x:4,seed=3"));
        assertThat(text.lines().filter(line -> line.contains("\"kind\":\"registry\"")))
                .hasSize(2);
        assertThat(text.lines().filter(line -> line.startsWith("{\"name\"")))
                .hasSize(50)
                .allSatisfy(line -> assertThat(line.length()).isLessThan(1_000));
    }

    @Test
    void keysMayStandInAnyOrder() throws IOException {
        Fleet fleet = made("5xh100-sxm:8,seed=3");
        String text = write(fleet);
        int registries = text.indexOf("\"registries\"");
        int hosts = text.indexOf("\"hosts\"");
        String sorted = text.substring(0, registries)
                + text.substring(hosts, text.lastIndexOf(']') + 1)
                + ","
                + text.substring(registries, text.lastIndexOf(',', hosts))
                + "}";
        assertThat(read(sorted)).isEqualTo(fleet);
    }

    @Test
    void fleetsReadTogetherShareTheirRegistries() throws IOException {
        byte[] text = write(made("5xh100-sxm:8,seed=3")).getBytes(StandardCharsets.UTF_8);
        FleetDocument.Reader reader = new FleetDocument.Reader();
        Fleet before = reader.read(new ByteArrayInputStream(text));
        Fleet after = reader.read(new ByteArrayInputStream(text));
        assertThat(after).isEqualTo(before);
        assertThat(after.hosts().getLast().registry().topology())
                .isSameAs(before.hosts().getFirst().registry().topology());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{}",
                "{\"schema\":1,\"kind\":\"registry\"}",
                "{\"schema\":2,\"kind\":\"fleet\"}",
                "{\"schema\":1,\"kind\":\"fleet\",\"hosts\":[{}]}",
                "{\"schema\":1,\"kind\":\"fleet\",\"hosts\":[1}",
                "{\"schema\":1,\"kind\":\"fleet\",\"hosts\":[]} x",
                "{\"schema\":1,\"kind\":\"fleet\",\"hosts\":[{\"name\":\"a\",\"registry\":0}]}",
                "{\"schema\":1,\"kind\":\"fleet\",\"hosts\":[{\"name\":\"a\",\"registry\":\"x\"}]}",
                "{\"schema\":1,\"kind\":\"fleet\",\"hosts\":[{\"name\":\"a\",\"registry\":{\"schema\":1,\"kind\":\"registry\","
                        + "\"devices\":[]},\"claims\":[{\"holder\":\"x\",\"count\":1.5}]}]}",
            })
    void whatIsNoFleetIsRefused(String text) {
        assertThatExceptionOfType(DocumentException.class).isThrownBy(() -> read(text));
    }

    @Test
    void sameTextMakesTheSameFleet() {
        assertThat(made("30xh100-sxm:8,seed=1").hosts())
                .isEqualTo(made("30xh100-sxm:8,seed=1").hosts());
        assertThat(made("30xh100-sxm:8,seed=1").hosts())
                .isNotEqualTo(made("30xh100-sxm:8,seed=2").hosts());
    }

    @Test
    void differencesAreThoseThatWereMade() {
        Fleet fleet = made("300xh100-sxm:8,seed=5");
        assertThat(FleetDifference.between(fleet, fleet).isEmpty()).isTrue();
        List<FleetHost> hosts = new ArrayList<>(fleet.hosts());
        FleetHost gone = hosts.removeLast();
        FleetHost lost = hosts.get(7);
        hosts.set(
                7,
                new FleetHost(
                        lost.name(),
                        lost.registry().withDevices(lost.registry().profiles().subList(0, 5)),
                        new HostState(HostState.HostStateKind.DRAINING, "DRAIN", "lost a GPU"),
                        lost.claims(),
                        lost.domains(),
                        lost.restrictions(),
                        lost.labels(),
                        lost.sources(),
                        List.of()));
        List<FleetDifference.HostChange> changes = FleetDifference.between(fleet, new Fleet(hosts, fleet.sources()))
                .hosts();
        assertThat(changes)
                .satisfiesExactly(
                        changed -> {
                            assertThat(changed.previous()).isEqualTo(lost);
                            assertThat(changed.hasNewState()).isTrue();
                            assertThat(changed.hasNewClaims()).isFalse();
                            assertThat(changed.devices().devices()).hasSize(4);
                        },
                        removed -> {
                            assertThat(removed.isRemoved()).isTrue();
                            assertThat(removed.host()).isEqualTo(gone);
                        });
    }
}
