package dev.muster.mesh.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Lists of hosts, against Slurm's own `scontrol show hostnames`. It needs a configuration, but no daemon.
class SlurmHostsTest {
    private static final Path SCONTROL = Path.of("/usr/bin/scontrol");
    private static final int LIMIT_SECONDS = 60;

    @TempDir
    private Path temporary;

    @ParameterizedTest
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
        need();
        assertThat(SlurmHosts.first(list).orElse("")).isEqualTo(firstBySlurm(list));
    }

    private static void need() {
        boolean there = Files.isExecutable(SCONTROL);
        if (!there) {
            System.err.println("SlurmHostsTest: there is no " + SCONTROL
                    + " here, so lists of hosts were NOT compared with Slurm (Debian: slurm-client)");
        }
        assumeTrue(there);
    }

    /// The first line that Slurm prints; blank if it calls the list invalid.
    private String firstBySlurm(String list) throws IOException, InterruptedException {
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
        ProcessBuilder builder = new ProcessBuilder(SCONTROL.toString(), "show", "hostnames", list);
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
        return said.contains("Invalid hostlist")
                ? ""
                : said.lines().findFirst().orElse("").strip();
    }
}
