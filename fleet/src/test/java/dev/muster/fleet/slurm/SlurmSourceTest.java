// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostBuilder;
import dev.muster.fleet.Claim;
import dev.muster.fleet.Domain;
import dev.muster.fleet.FleetException;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.HostReport;
import dev.muster.fleet.HostState;
import dev.muster.fleet.Restriction;
import dev.muster.fleet.SourceReport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Slurm's commands and its server, with answers that were made up after real ones.
class SlurmSourceTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final List<String> NODES = List.of("--details", "--all", "--oneliner", "show", "node");
    private static final String TWO_NODES = """
            NodeName=n1 Arch=x86_64 Gres=gpu:h100:4(S:0-1) GresDrain=N/A GresUsed=gpu:h100:2(IDX:0,3) \
            CPUTot=64 OS=Linux 6.1 #1 SMP State=MIXED RealMemory=1024 Partitions=a,b ReservationName=r1
            NodeName=n2 Gres=gpu:h100:4 GresUsed=gpu:h100:0(IDX:N/A) CPUTot=4294967294 State=IDLE+DRAIN* RealMemory=1024 \
            Partitions=a Reason=bad GPU Gres=gpu:h100:99 [root@2026-01-01T00:00:00]
            """;

    private static Host host(int exitCode, String nodes, String error) {
        return new HostBuilder()
                .file("/usr/bin/scontrol", "")
                .tool("scontrol", NODES, exitCode, nodes, error, Duration.ZERO)
                .tool("scontrol", List.of("--details", "--all", "--oneliner", "show", "job"), 0, """
                        JobId=7 JobName=x UserId=ann(1000) JobState=RUNNING NodeList=n1 NumNodes=1 \
                        JOB_GRES=gpu:h100:1 Nodes=n1 CPU_IDs=0-3 Mem=0 GRES=gpu:h100:1(IDX:3) MinCPUsNode=1
                        JobId=8 JobName=y UserId=bob(1001) JobState=PENDING NodeList=(null)
                        """, "", Duration.ZERO)
                .tool(
                        "scontrol",
                        List.of("--oneliner", "show", "reservation"),
                        0,
                        "ReservationName=r1 StartTime=2026-01-01T00:00:00 EndTime=2026-01-02T00:00:00 Nodes=n[1-2]"
                                + " Users=ann Accounts=(null) State=ACTIVE\n",
                        "",
                        Duration.ZERO)
                .tool("scontrol", List.of("show", "topology"), 0, """
                        SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=n[1-2]
                        SwitchName=spine Level=1 LinkSpeed=1 Nodes=n[1-2] Switches=leaf1
                        """, "", Duration.ZERO)
                .build();
    }

    private static SourceReport read(Host host) {
        return SlurmSource.ofCommands(host.commands(), host.clock(), "").read(LIMIT);
    }

    @Test
    void devicesOfANodeWithoutAFreeCpuAreHeld() {
        SourceReport report = read(host(0, TWO_NODES.replace("State=MIXED", "State=ALLOCATED"), ""));
        assertThat(report.hosts().getFirst().claims())
                .extracting(Claim::holder, Claim::count)
                .containsExactly(
                        org.assertj.core.api.Assertions.tuple("job 7", 1),
                        org.assertj.core.api.Assertions.tuple("slurm", 1),
                        org.assertj.core.api.Assertions.tuple("no CPU is free", 2));
    }

    @Test
    void putsNodesJobsReservationsAndSwitchesTogether() {
        SourceReport report = read(host(0, TWO_NODES, ""));
        assertThat(report.gaps()).isEmpty();
        HostReport first = report.hosts().getFirst();
        assertThat(first.claims())
                .extracting(Claim::holder, claim -> claim.devices().toString())
                .containsExactly(
                        org.assertj.core.api.Assertions.tuple("job 7", "[cuda:3]"),
                        org.assertj.core.api.Assertions.tuple("slurm", "[cuda:0]"));
        assertThat(first.domains())
                .containsExactly(
                        new Domain(Domain.DomainKind.LEAF, "leaf1"), new Domain(Domain.DomainKind.SPINE, "spine"));
        assertThat(first.restrictions()).extracting(Restriction::name).containsExactly("a", "b", "r1");
        HostReport second = report.hosts().get(1);
        assertThat(second.state().kind()).isEqualTo(HostState.HostStateKind.DOWN);
        assertThat(second.state().reason()).isEqualTo("bad GPU");
        // A word of an administrator is not a resource.
        assertThat(second.registry().profiles()).hasSize(5);
        assertThat(second.registry()
                        .profiles()
                        .getFirst()
                        .reading(dev.muster.core.DeviceFact.THREADS)
                        .isKnown())
                .isFalse();
    }

    @Test
    void saysWhatIsWrongInOneSentence() {
        assertThatExceptionOfType(FleetException.class)
                .isThrownBy(() -> read(host(1, "", "slurm_load_node error: Unable to contact slurm controller\n")))
                .withMessageContaining("Unable to contact slurm controller");
        assertThatExceptionOfType(FleetException.class)
                .isThrownBy(() -> read(new HostBuilder().build()))
                .withMessageContaining("not installed");
    }

    @Test
    void asksAServerForTheNewestFormThatItHas() throws IOException {
        Map<String, String> answers = Map.of("/slurm/v0.0.41/nodes", """
                {"nodes":[{"name":"n1","state":["IDLE","DRAIN"],"gres":"gpu:h100:2","gres_used":"gpu:h100:1(IDX:1)",
                "cpus":8,"real_memory":2048,"partitions":["a"],"reason":"x"}],"errors":[]}
                """, "/slurm/v0.0.41/jobs", """
                {"jobs":[{"job_id":5,"user_name":"ann","job_state":["RUNNING"],"nodes":"n1",
                "gres_detail":["gpu:h100:1(IDX:1)"]}]}
                """);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            boolean known = "secret".equals(exchange.getRequestHeaders().getFirst("X-SLURM-USER-TOKEN"));
            String answer = answers.get(exchange.getRequestURI().getPath());
            byte[] body = (answer == null ? "{}" : answer).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(!known ? 401 : answer == null ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
            Host host = new HostBuilder().build();
            FleetSource source = SlurmSource.ofServer(address, "root", "secret", host.clock());
            SourceReport report = source.read(LIMIT);
            HostReport node = report.hosts().getFirst();
            assertThat(node.state()).isEqualTo(new HostState(HostState.HostStateKind.DRAINING, "IDLE+DRAIN", "x"));
            assertThat(node.claims())
                    .singleElement()
                    .satisfies(claim -> assertThat(claim.holder()).isEqualTo("job 5"));
            assertThat(report.gaps())
                    .singleElement()
                    .satisfies(gap -> assertThat(gap.display()).contains("no reservations"));
            FleetSource stranger = SlurmSource.ofServer(address, "root", "wrong", host.clock());
            assertThatExceptionOfType(FleetException.class)
                    .isThrownBy(() -> stranger.read(LIMIT))
                    .withMessageContaining("scontrol token");
        } finally {
            server.stop(0);
        }
    }
}
