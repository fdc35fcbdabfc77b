// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.Provenance;
import dev.muster.core.json.JsonValue;
import dev.muster.fleet.Claim;
import dev.muster.fleet.Domain;
import dev.muster.fleet.FleetHost;
import dev.muster.fleet.HostReport;
import dev.muster.fleet.HostState;
import dev.muster.testing.Need;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Output of real clusters, of releases 20.11 to 25.11. Figures are counted by hand or by another program.
class SlurmFixturesTest {
    private static final Provenance SOURCE =
            Provenance.of("slurm", Provenance.Method.COMMAND, Provenance.Confidence.STATED);

    private static String read(String name) throws IOException {
        return Files.readString(Need.recording("fixtures/fleet/slurm/" + name));
    }

    private static List<SlurmNode> nodes(String name) throws IOException {
        return name.endsWith(".json")
                ? new SlurmJson(SOURCE).nodes(JsonValue.parse(read(name)))
                : new ScontrolText(SOURCE).nodes(read(name));
    }

    private static List<HostReport> reports(List<SlurmNode> nodes, List<SlurmJob> jobs) {
        return new SlurmReports(SOURCE).of(nodes, jobs, List.of(), SlurmTopology.NONE);
    }

    private static List<AcceleratorProfile> devices(List<HostReport> hosts) {
        return hosts.stream()
                .flatMap(host -> host.registry().profiles().stream())
                .filter(device -> device.accelerator().kind() != AcceleratorKind.CPU)
                .toList();
    }

    /// Name of a device, or the resource's where it has no type, and how many there are.
    private static String kinds(List<HostReport> hosts) {
        Map<String, Long> kinds = devices(hosts).stream()
                .collect(Collectors.groupingBy(
                        device -> device.deviceName().find().orElse("?"), TreeMap::new, Collectors.counting()));
        return kinds.isEmpty()
                ? "-"
                : kinds.entrySet().stream()
                        .map(kind -> kind.getKey() + "*" + kind.getValue())
                        .collect(Collectors.joining(" "));
    }

    private static String states(List<HostReport> hosts) {
        Map<HostState.HostStateKind, Long> states = hosts.stream()
                .collect(Collectors.groupingBy(host -> host.state().kind(), TreeMap::new, Collectors.counting()));
        return states.entrySet().stream()
                .map(state -> state.getKey().text() + "*" + state.getValue())
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // file | nodes | devices | devices in use | states
                "rivos-21.08.5-sinfo.json | 4 | - | 0 | ready*3 down*1",
                // Two of its nodes have no resource that can be read, while their lists of TRES count 8 GPUs each.
                "mila-20.11-scontrol-node-3.txt | 5 | gpu*16 not-an-existing-gpu*8 rtx8000*8 v100*8 | 40 | ready*5",
                "mila-20.11-scontrol-node-small.txt | 1 | rtx8000*8 | 8 | ready*1",
                "mila-20.11-scontrol-node-2.txt | 2 | rtx8000*16 | 16 | ready*2",
                "mila-21.08.8-sinfo.json | 2 | gpu*1 | 0 | down*2",
                "mila-21.08.8-sinfo-2.json | 2 | gpu*1 | 0 | down*2",
                "telegraf-22.05.9-rest-nodes.json | 3 | - | 0 | ready*1 draining*2",
                // Of these, 36 are idle, on two nodes whose CPUs are all given out.
                "lcrownover-23.11-v0040-nodes.json | 12 | 1g.10gb*63 nvidia_a100_80gb_pcie*4 nvidia_h100_80gb_hbm3*12"
                        + " | 52 | ready*8 draining*2 down*2",
                "lcrownover-24.05-v0041-nodes.json | 1 | - | 0 | unknown*1",
                "slurmweb-24.05-v0041-nodes.json | 100 | - | 0 | ready*100",
                "slurmweb-24.05-v0041-node-gpu-idle.json | 1 | h100*4 | 0 | ready*1",
                "slurmweb-25.05-v0043-nodes.json | 6 | h100*8 | 0 | ready*4 draining*1 down*1",
                "slurmweb-25.05-v0043-node-gpu-mixed.json | 1 | h100*4 | 1 | ready*1",
                "slurmweb-25.11-v0044-nodes.json | 8 | gpu*8 h100*8 | 0 | ready*6 draining*1 down*1",
                "slurmweb-25.11-v0044-node-gpu-typed-mixed.json | 1 | h100*4 | 1 | ready*1",
                "slurmweb-25.11-v0044-node-gpu-untyped-allocated.json | 1 | h100*4 | 4 | ready*1",
                "sckyzo-24.11.7-scontrol-nodes-oneline.txt | 20 | model_a*20 model_b*20 | 0 | ready*20",
                "sckyzo-25.11.2-scontrol-nodes-oneline.txt | 7 | - | 0 | ready*3 draining*4",
            })
    void nodesAreWhatTheClusterHas(String file, int count, String kinds, int used, String states) throws IOException {
        List<HostReport> hosts = reports(nodes(file), List.of());
        assertThat(hosts).hasSize(count);
        assertThat(kinds(hosts)).isEqualTo(kinds);
        assertThat(hosts.stream()
                        .flatMap(host -> host.claims().stream())
                        .mapToInt(Claim::count)
                        .sum())
                .isEqualTo(used);
        assertThat(states(hosts)).isEqualTo(states);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // file | jobs | that hold nodes | GPUs they hold
                "rivos-21.08.5-squeue.json | 2 | 1 | 0",
                "telegraf-22.05.9-rest-jobs.json | 3 | 2 | 0",
                "lcrownover-23.11-v0040-jobs.json | 2 | 1 | 0",
                "lcrownover-24.05-v0041-jobs.json | 2 | 0 | 0",
                "slurmweb-24.05-v0041-job-gpus-multi-types.json | 1 | 1 | 1",
                "slurmweb-25.11-v0044-job-gpus-multi-nodes.json | 1 | 1 | 8",
                "slurmweb-25.05-v0041-jobs.json | 14 | 1 | 0",
                "sonar-scontrol-job-resource1.txt | 3 | 0 | 0",
                "sonar-scontrol-job-resource2.txt | 3 | 0 | 0",
            })
    void jobsHoldWhatTheyWereGiven(String file, int count, int running, int gpus) throws IOException {
        List<SlurmJob> jobs = file.endsWith(".json")
                ? new SlurmJson(SOURCE).jobs(JsonValue.parse(read(file)))
                : new ScontrolText(SOURCE).jobs(read(file));
        assertThat(jobs).hasSize(count);
        assertThat(jobs.stream().filter(SlurmJob::running)).hasSize(running);
        assertThat(jobs.stream()
                        .filter(SlurmJob::running)
                        .flatMap(job -> job.gres().values().stream())
                        .flatMap(List::stream)
                        .filter(GresDevices::isDevice)
                        .mapToInt(Gres::count)
                        .sum())
                .isEqualTo(gpus);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // file | hosts | blocks | leaves | switches above
                "azure-topology-block-nvl72.conf | 72 | 4 | 0 | 0",
                "azure-topology-tree.conf | 16 | 0 | 5 | 1",
                "azure-topology-block-undersized.conf | 0 | 0 | 0 | 0",
                "topograph-topology-block-expected.conf | 96 | 12 | 0 | 0",
                "topograph-topology-tree-expected.conf | 96 | 0 | 12 | 7",
                "slurm-testsuite-topology.conf | 32 | 8 | 0 | 0",
                "azure-topology-ib-guids.txt | 128 | 0 | 40 | 9",
            })
    void domainsAreThoseOfTheTopology(String file, int hosts, int blocks, int leaves, int spines) throws IOException {
        SlurmTopology topology = SlurmTopology.parse(read(file));
        assertThat(topology.nodes()).hasSize(hosts);
        Map<Domain.DomainKind, Long> kinds = topology.nodes().stream()
                .flatMap(node -> topology.domains(node).stream())
                .distinct()
                .collect(Collectors.groupingBy(Domain::kind, LinkedHashMap::new, Collectors.counting()));
        assertThat(kinds.getOrDefault(Domain.DomainKind.BLOCK, 0L)).isEqualTo(blocks);
        assertThat(kinds.getOrDefault(Domain.DomainKind.LEAF, 0L)).isEqualTo(leaves);
        assertThat(kinds.getOrDefault(Domain.DomainKind.SPINE, 0L)).isEqualTo(spines);
    }

    /// Lists of resources in tables of sinfo: how many nodes of a row, and what each has.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sckyzo-20.11.8-sinfo-gpus-total.txt | 48",
                "sckyzo-21.08.5-sinfo-gpus-total.txt | 16",
                "sckyzo-23.11.10-sinfo-gpus-total.txt | 232",
                "sckyzo-25.05-sinfo-gpus-total.txt | 4232",
                "sckyzo-25.11.1-1-sinfo-gpus-total.txt | 154",
                "sckyzo-gpus-snapshot-long-gres.txt | 52",
            })
    void resourcesCountWhatIsConfigured(String file, int total) throws IOException {
        int counted = 0;
        for (String line : read(file).lines().toList()) {
            String[] columns = line.strip().split("\\s+");
            int nodes = Integer.parseInt(columns[0]);
            counted += nodes
                    * Gres.parse(columns[1]).stream()
                            .filter(gres -> gres.name().equals("gpu"))
                            .mapToInt(Gres::count)
                            .sum();
        }
        assertThat(counted).isEqualTo(total);
    }

    @Test
    void devicesInUseAreNamedWhereSlurmNumbersThem() throws IOException {
        List<SlurmNode> nodes = nodes("slurmweb-25.11-v0044-node-gpu-typed-mixed.json");
        HostReport host = reports(nodes, List.of()).getFirst();
        assertThat(host.claims())
                .singleElement()
                .satisfies(claim ->
                        assertThat(claim.devices()).extracting(Object::toString).containsExactly("cuda:0"));
        FleetHost merged = dev.muster.fleet.Fleet.merge(List.of(
                        new dev.muster.fleet.SourceReport("slurm", java.time.Instant.EPOCH, List.of(host), List.of())))
                .hosts()
                .getFirst();
        assertThat(merged.free()).hasSize(3);
    }
}
