// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.fleet.Fleet.SourceState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FleetSummaryTest {
    private static final Instant SEEN = Instant.parse("2026-11-15T08:30:00Z");

    private static AcceleratorProfile gpu(int number, Reading<Bytes> memory) {
        return AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, number))
                .with(DeviceFact.DEVICE_NAME, Reading.known("H100", Provenance.GIVEN))
                .with(DeviceFact.MEMORY, memory)
                .build();
    }

    private static FleetHost host() {
        AcceleratorProfile first = gpu(0, Reading.known(Bytes.ofGib(80), Provenance.GIVEN));
        return new FleetHost(
                "n1",
                AcceleratorRegistry.of(List.of(first, gpu(1, Reading.notProbed()))),
                new HostState(HostState.HostStateKind.READY, "MIXED", "because"),
                List.of(new Claim("job 7", "ada", 1, List.of(first.id()))),
                List.of(new Domain(Domain.DomainKind.LEAF, "leaf1")),
                List.of(),
                Map.of(),
                List.of("slurm"),
                List.of(new FleetHost.Contradiction(
                        "devices",
                        List.of(new FleetHost.Statement("slurm", "2"), new FleetHost.Statement("ssh", "1")))));
    }

    private static String summary(List<FleetHost> hosts, SourceState source) {
        return FleetSummary.of(new Fleet(hosts, List.of(source)), SEEN.plusMillis(90_500))
                .toText();
    }

    private static SourceState source(String failure, List<Gap> gaps) {
        return new SourceState("slurm", Reading.known(SEEN, Provenance.GIVEN), failure, gaps);
    }

    @Test
    void aHostIsSaidInFewWords() {
        assertThat(summary(List.of(host()), source("", List.of())))
                .isEqualTo("{\"schema\":1,\"kind\":\"fleet-summary\","
                        + "\"sources\":[{\"source\":\"slurm\",\"observedAt\":\"2026-11-15T08:30:00Z\",\"gaps\":[]}],"
                        + "\"hosts\":[{\"name\":\"n1\","
                        + "\"state\":{\"kind\":\"ready\",\"text\":\"MIXED\",\"reason\":\"because\"},"
                        + "\"freeDevices\":1,"
                        + "\"devices\":[{\"id\":\"cuda:0\",\"deviceName\":\"H100\",\"memoryTotalBytes\":85899345920},"
                        + "{\"id\":\"cuda:1\",\"deviceName\":\"H100\"}],"
                        + "\"claims\":[{\"holder\":\"job 7\",\"user\":\"ada\",\"count\":1,\"devices\":[\"cuda:0\"]}],"
                        + "\"domains\":[\"leaf leaf1\"],"
                        + "\"conflicts\":[{\"what\":\"devices\",\"statements\":["
                        + "{\"source\":\"slurm\",\"value\":\"2\"},{\"source\":\"ssh\",\"value\":\"1\"}]}]}]}");
    }

    @Test
    void aSourceThatFailedSaysWhyAndHowOldItsWordIs() {
        assertThat(summary(List.of(), source("slurm: it is gone", List.of())))
                .contains("\"failure\":\"slurm: it is gone\",\"ageSeconds\":90,");
    }

    @Test
    void aSourceThatNeverAnsweredHasNoAge() {
        SourceState never = new SourceState("slurm", Reading.unknown(UnknownReason.NOT_PROBED, "gone"), "gone");
        assertThat(summary(List.of(), never))
                .contains("\"failure\":\"gone\"")
                .doesNotContain("ageSeconds", "observedAt");
    }

    @Test
    void aClockThatWasSetBackMakesNoAgeBelowZero() {
        Fleet fleet = new Fleet(List.of(), List.of(source("gone", List.of())));
        assertThat(FleetSummary.of(fleet, SEEN.minusSeconds(9)).toText()).contains("\"ageSeconds\":0,");
    }

    @Test
    void gapsAreSentences() {
        assertThat(summary(List.of(), source("", List.of(new Gap.ProbeFailed("slurm", "no jobs")))))
                .contains("\"gaps\":[\"slurm")
                .contains("no jobs");
    }
}
