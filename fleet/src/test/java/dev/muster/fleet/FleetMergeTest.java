// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Provenance;
import dev.muster.core.Provenance.Confidence;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.fleet.FleetHost.Contradiction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FleetMergeTest {
    private static final Instant NOW = Instant.parse("2026-11-18T00:00:00Z");

    private static Provenance by(String source, Confidence confidence) {
        return Provenance.of(source, Provenance.Method.COMMAND, confidence);
    }

    private static AcceleratorProfile gpu(int number, String uuid, String name, long gib, Provenance by) {
        AcceleratorProfile.ProfileBuilder device = AcceleratorProfile.builder(
                        AcceleratorType.of(AcceleratorKind.CUDA_GPU, number))
                .with(DeviceFact.DEVICE_NAME, Reading.known(name, by));
        if (!uuid.isEmpty()) {
            device.with(DeviceFact.UUID, Reading.known(uuid, by));
        }
        if (gib > 0) {
            device.with(DeviceFact.MEMORY, Reading.known(new Bytes(gib << 30), by));
        }
        return device.build();
    }

    private static HostReport host(String name, List<AcceleratorProfile> devices) {
        return HostReport.ofDevices(name, AcceleratorRegistry.of(devices));
    }

    private static SourceReport report(String source, SourceKind kind, HostReport... hosts) {
        return new SourceReport(source, kind, NOW, List.of(hosts), List.of());
    }

    private static final Provenance SLURM = by("slurm", Confidence.STATED);
    private static final Provenance SSH = by("ssh", Confidence.MEASURED);

    private static HostReport scheduled(String name, List<AcceleratorProfile> devices, Claim... claims) {
        return new HostReport(
                name,
                AcceleratorRegistry.of(devices),
                new HostState(HostState.HostStateKind.READY, "MIXED", ""),
                List.of(claims),
                List.of(new Domain(Domain.DomainKind.LEAF, "leaf1")),
                List.of(new Restriction(Restriction.RestrictionKind.PARTITION, "a", "")),
                Map.of());
    }

    @Test
    void devicesComeFromTheHostAndClaimsFromTheScheduler() {
        SourceReport slurm = report(
                "slurm",
                SourceKind.SCHEDULER,
                scheduled(
                        "n1",
                        List.of(gpu(0, "", "h100", 0, SLURM), gpu(1, "", "h100", 0, SLURM)),
                        new Claim("job 1", "ann", 1, List.of(new DeviceId("cuda:1")))));
        SourceReport ssh = report(
                "ssh",
                SourceKind.HOST,
                host(
                        "n1.example.com",
                        List.of(
                                gpu(0, "GPU-a", "NVIDIA H100 80GB HBM3", 80, SSH),
                                gpu(1, "GPU-b", "NVIDIA H100 80GB HBM3", 80, SSH))));
        FleetHost merged = Fleet.merge(List.of(slurm, ssh)).hosts().getFirst();
        assertThat(merged.name()).isEqualTo("n1");
        assertThat(merged.sources()).containsExactly("ssh", "slurm");
        assertThat(merged.conflicts()).isEmpty();
        assertThat(merged.accelerators())
                .hasSize(2)
                .allSatisfy(device -> assertThat(device.memory().isKnown()).isTrue());
        assertThat(merged.free())
                .singleElement()
                .satisfies(device ->
                        assertThat(device.reading(DeviceFact.UUID).find()).contains("GPU-a"));
    }

    @Test
    void everyContradictionIsListed() {
        SourceReport slurm = report(
                "slurm",
                SourceKind.SCHEDULER,
                scheduled("n1", List.of(gpu(0, "", "a100", 0, SLURM), gpu(1, "", "a100", 0, SLURM))));
        SourceReport ssh = report("ssh", SourceKind.HOST, host("n1", List.of(gpu(0, "GPU-a", "NVIDIA H100", 80, SSH))));
        SourceReport kube = report(
                "kubernetes",
                SourceKind.SCHEDULER,
                new HostReport(
                        "n1",
                        AcceleratorRegistry.of(List.of()),
                        new HostState(HostState.HostStateKind.DOWN, "NotReady", ""),
                        List.of(),
                        List.of(new Domain(Domain.DomainKind.LEAF, "other")),
                        List.of(),
                        Map.of()));
        FleetHost merged = Fleet.merge(List.of(slurm, ssh, kube)).hosts().getFirst();
        assertThat(merged.accelerators()).hasSize(1);
        assertThat(merged.conflicts())
                .extracting(Contradiction::what)
                .containsExactlyInAnyOrder("cuda:0 name", "devices", "state", "leaf domain");
    }

    @Test
    void anAssumedKindGivesWay() {
        AcceleratorProfile assumed = gpu(0, "", "gpu", 0, by("slurm", Confidence.ASSUMED));
        AcceleratorProfile real = AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.ROCM_GPU, 0))
                .with(DeviceFact.DEVICE_NAME, Reading.known("MI300X", SSH))
                .build();
        Fleet fleet = Fleet.merge(List.of(
                report(
                        "slurm",
                        SourceKind.SCHEDULER,
                        scheduled("n1", List.of(assumed), new Claim("job 1", "", 1, List.of(new DeviceId("cuda:0"))))),
                report("ssh", SourceKind.HOST, host("n1", List.of(real)))));
        FleetHost merged = fleet.hosts().getFirst();
        assertThat(merged.accelerators()).extracting(AcceleratorProfile::id).containsExactly(new DeviceId("rocm:0"));
        assertThat(merged.conflicts()).isEmpty();
        assertThat(merged.free()).isEmpty();
    }

    @Test
    void aShortNameThatFitsSeveralHostsFitsNone() {
        List<AcceleratorProfile> devices = List.of(gpu(0, "", "h100", 0, SLURM));
        Fleet fleet = Fleet.merge(List.of(
                report(
                        "a",
                        SourceKind.HOST,
                        host("n1.east", devices),
                        host("n1.west", devices),
                        host("n2.east", devices)),
                report(
                        "b",
                        SourceKind.SCHEDULER,
                        host("n1", devices),
                        host("n2", devices),
                        host("10.0.0.1", devices))));
        assertThat(fleet.hosts())
                .extracting(FleetHost::name)
                .containsExactly("10.0.0.1", "n1", "n1.east", "n1.west", "n2");
    }

    /// In any order of sources of one kind, the same devices and facts result; a report that comes
    /// twice adds nothing.
    @Test
    void neitherOrderNorRepetitionLosesOrAddsFacts() {
        Random random = new Random(11);
        for (int round = 0; round < 200; round++) {
            List<SourceReport> reports = new ArrayList<>();
            for (int source = 0; source < 3; source++) {
                SourceKind kind = List.of(SourceKind.values()).get(random.nextInt(4));
                Provenance by = by("s" + source, Confidence.STATED);
                List<AcceleratorProfile> devices = new ArrayList<>();
                for (int number = 0; number < 1 + random.nextInt(4); number++) {
                    String uuid = random.nextBoolean() ? "GPU-" + number : "";
                    devices.add(gpu(number, uuid, "h100", random.nextBoolean() ? 80 : 0, by));
                }
                reports.add(report(
                        "s" + source, kind, scheduled("n1", devices, new Claim("job " + source, "", 1, List.of()))));
            }
            FleetHost merged = Fleet.merge(reports).hosts().getFirst();
            List<SourceReport> shuffled = new ArrayList<>(reports);
            Collections.shuffle(shuffled, random);
            FleetHost other = Fleet.merge(shuffled).hosts().getFirst();
            assertThat(facts(other)).as("round %d", round).isEqualTo(facts(merged));
            assertThat(other.claims()).as("round %d", round).containsExactlyInAnyOrderElementsOf(merged.claims());
            List<SourceReport> twice = new ArrayList<>(reports);
            twice.addAll(reports);
            FleetHost repeated = Fleet.merge(twice).hosts().getFirst();
            assertThat(repeated).as("round %d", round).isEqualTo(merged);
        }
    }

    private static List<String> facts(FleetHost host) {
        List<String> facts = new ArrayList<>();
        for (AcceleratorProfile device : host.registry().profiles()) {
            for (DeviceFact<?> fact : DeviceFact.all()) {
                device.reading(fact).find().ifPresent(value -> facts.add(device.id() + " " + fact + " " + value));
            }
        }
        Collections.sort(facts);
        return facts;
    }
}
