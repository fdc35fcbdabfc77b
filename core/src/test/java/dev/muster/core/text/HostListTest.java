// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Lists of hosts, against Slurm's own `scontrol show hostnames`. It needs a configuration, but no daemon.
class HostListTest {
    private static final int LIMIT_SECONDS = 60;

    @TempDir
    private Path temporary;

    @ParameterizedTest
    @Needs(programs = "scontrol")
    @ValueSource(
            strings = {
                "node1",
                "node1,node2",
                "b,a",
                "gpu[3,5-7]",
                "gpu[01-03,7],rack[1-2]n[08-09]",
                "rack[1-2]n[0-3]",
                "n[0-1][0-1]",
                "n[007,5]",
                "a-b[01]",
                "n-1",
                "n_1",
                "N.1",
                "10.0.0.[1-4]",
                "n[1-2],",
                "node[]",
                "node[x-y]",
                "n[-1]",
                "n[,1]",
            })
    void theFirstHostIsTheOneThatSlurmNames(String list) throws Exception {
        assertThat(HostList.first(list).orElse(""))
                .isEqualTo(bySlurm(list).lines().findFirst().orElse(""));
    }

    @ParameterizedTest
    @Needs(programs = "scontrol")
    @ValueSource(
            strings = {
                "node1",
                "b,a",
                "gpu[3,5-7]",
                "gpu[01-03,7],rack[1-2]n[08-09]",
                "n[0-1][0-1]",
                "n[007,5]",
                "a[098-102]",
                "10.0.0.[1-4]",
                "n[1-2],",
                "node[0201-0272,2137,7712-7735]",
                "",
            })
    void theHostsAreThoseThatSlurmNames(String list) throws Exception {
        assertThat(String.join("\n", HostList.expand(list))).isEqualTo(bySlurm(list));
    }

    @ParameterizedTest
    @ValueSource(strings = {"n[1", "n1]", "n[]", "n[x-y]", "n[3-1]", "n[-1]", "n[1-99999999]", "n[[1]]", "n[1-2]]"})
    void whatIsNoListIsRefused(String list) {
        assertThatIllegalArgumentException().isThrownBy(() -> HostList.expand(list));
    }

    @Test
    void foldsToAListOfTheSameHosts() {
        List<String> hosts = List.of(
                "n1",
                "n2",
                "n3",
                "n10",
                "gpu01",
                "gpu02",
                "gpu04",
                "login",
                "x-9.example.com",
                "x-10.example.com",
                "n0",
                "10.0.0.7",
                "r1n2",
                "r1n3",
                "r2n2",
                "a099",
                "a100",
                "n2");
        String folded = HostList.fold(hosts);
        assertThat(folded)
                .contains("n[0-3,10]", "gpu[01-02,04]", "x-[9-10].example.com", "r1n[2-3]", "r2n2", "a[099-100]");
        assertThat(HostList.expand(folded)).containsExactlyInAnyOrderElementsOf(new TreeSet<>(hosts));
    }

    @Test
    void foldsAnyNamesWithoutLoss() {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            Set<String> hosts = new TreeSet<>();
            for (int i = 0; i < 40; i++) {
                int number = random.nextInt(120);
                String name = "abc".substring(random.nextInt(3));
                String digits = random.nextBoolean() ? Integer.toString(number) : "%03d".formatted(number);
                hosts.add(name + digits + (random.nextInt(4) == 0 ? ".lan" : ""));
            }
            assertThat(HostList.expand(HostList.fold(hosts)))
                    .as("round %d", round)
                    .containsExactlyInAnyOrderElementsOf(hosts);
        }
    }

    @Test
    void countsAreThoseOfRealClusters() throws IOException {
        Path table = Need.recording("fixtures/fleet/slurm/HOSTLISTS.tsv");
        List<String> rows = Files.readAllLines(table).stream().skip(1).toList();
        assertThat(rows).hasSizeGreaterThan(40);
        for (String row : rows) {
            String[] columns = row.split("\t", -1);
            List<String> hosts = HostList.expand(columns[0]);
            assertThat(hosts)
                    .as(columns[0])
                    .hasSize(Integer.parseInt(columns[1]))
                    .doesNotHaveDuplicates();
            assertThat(HostList.expand(HostList.fold(hosts))).containsExactlyInAnyOrderElementsOf(hosts);
        }
    }

    /// The lines that Slurm prints; blank if it calls the list invalid.
    private String bySlurm(String list) throws IOException, InterruptedException {
        Path configuration = temporary.resolve("slurm.conf");
        Files.writeString(configuration, """
                ClusterName=test
                SlurmctldHost=localhost
                AuthType=auth/none
                CredType=cred/none
                NodeName=n1
                PartitionName=all Nodes=n1
                """);
        Path output = temporary.resolve("hosts");
        ProcessBuilder builder = new ProcessBuilder("scontrol", "show", "hostnames", list);
        builder.environment().put("SLURM_CONF", configuration.toString());
        Process scontrol = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(scontrol.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            scontrol.destroyForcibly();
        }
        String said = Files.readString(output, StandardCharsets.UTF_8);
        return said.contains("Invalid hostlist") ? "" : said.strip();
    }
}
