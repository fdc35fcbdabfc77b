// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.muster.cli.option.ExitCode;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.NodeId;
import dev.muster.core.Reading;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import dev.muster.core.json.JsonValue;
import dev.muster.core.unit.Bytes;
import dev.muster.monitor.SampleHistory;
import dev.muster.monitor.Sampler;
import dev.muster.monitor.metric.MetricNames;
import dev.muster.plan.Planner;
import dev.muster.server.AccessToken;
import dev.muster.server.ListenAddress;
import dev.muster.server.MusterServer;
import dev.muster.server.ServerConfig;
import dev.muster.server.ServerSources;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sources that are reached over a network, as `--source` opens them.
class FleetSourcesTest {
    private static final String TOKEN = "synthetic-token-0123456789abcdef";

    private final MusterRun pipe = MusterRun.inPipe();

    @Test
    void anExporterIsReadWithItsToken(@TempDir Path folder) throws IOException {
        Path token = Files.writeString(folder.resolve("token"), TOKEN + "\n");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/metrics", exchange -> {
            boolean known =
                    ("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"));
            byte[] page = """
                    accel_info{device="cuda:0",uuid="GPU-1",host="n7",vendor="NVIDIA",model="NVIDIA H100"} 1
                    accel_memory_total_bytes{device="cuda:0",uuid="GPU-1",host="n7"} 85899345920
                    """.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(known ? 200 : 401, known ? page.length : -1);
            if (known) {
                exchange.getResponseBody().write(page);
            }
            exchange.close();
        });
        server.start();
        try {
            String source = "prometheus:http://127.0.0.1:" + server.getAddress().getPort() + "/metrics";
            String fleet = pipe.run(
                            "fleet",
                            "list",
                            "--source",
                            source,
                            "--prometheus-token-file",
                            token.toString(),
                            "-o",
                            "json")
                    .quietOutput();
            assertThat(fleet).contains("\"n7\"").contains("85899345920").doesNotContain(TOKEN);
            Outcome refused = pipe.run("fleet", "list", "--source", source);
            assertThat(refused.code()).isEqualTo(ExitCode.NO);
            assertThat(refused.err()).contains("it does not let you read metrics (401)");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void anotherHostsServerTellsItsRegistry(@TempDir Path folder) throws IOException, InterruptedException {
        Path token = Files.writeString(folder.resolve("token"), TOKEN + "\n");
        AcceleratorRegistry named = new AcceleratorRegistry(
                AcceleratorRegistry.REFERENCE_SCHEMA,
                List.of(AcceleratorProfile.cuda(0, Bytes.ofGib(80))),
                List.of(),
                AcceleratorRegistry.of(List.of()).systemIo(),
                TopologyGraph.of(List.of(new TopologyNode.HostNode(new NodeId("host"), "n9")), List.of()),
                Reading.notProbed());
        try (Sampler sampler = Sampler.start(
                        () -> named, Duration.ofMillis(100), SampleHistory.ofLength(10), InstantSource.system());
                MusterServer server = serve(sampler)) {
            assertThat(sampler.awaitNewer(0, Duration.ofSeconds(10))).isPresent();
            String address = "muster:http://127.0.0.1:" + server.port();
            String fleet = pipe.run("fleet", "list", "--source", address + "/?token=" + TOKEN, "-o", "json")
                    .quietOutput();
            assertThat(fleet).contains("\"n9\"").doesNotContain(TOKEN);
            assertThat(JsonValue.parse(fleet.getBytes(StandardCharsets.UTF_8)).requireItems("hosts"))
                    .hasSize(1);
            String file = token.toString();
            assertThat(pipe.run("fleet", "devices", "--source", address, "--muster-token-file", file, "-o", "csv")
                            .quietOutput())
                    .contains("n9,");
            Outcome refused = pipe.run("fleet", "list", "--source", address);
            assertThat(refused.code()).isEqualTo(ExitCode.NO);
            assertThat(refused.err()).contains("it does not let you read (401); give its token");
            Outcome lost = pipe.run("fleet", "list", "--source", address + "/elsewhere?token=" + TOKEN);
            assertThat(lost.err()).contains("404").doesNotContain(TOKEN);
        }
    }

    private static MusterServer serve(Sampler sampler) {
        ServerConfig config = new ServerConfig(
                List.of(ListenAddress.find("127.0.0.1:0").orElseThrow()),
                Set.of(),
                Optional.of(AccessToken.of(TOKEN)),
                Optional.empty(),
                MetricNames.MUSTER,
                false,
                "n9",
                "0");
        ServerSources sources =
                new ServerSources(sampler, Planner::of, List.of(), Optional.empty(), List::of, InstantSource.system());
        return MusterServer.start(config, sources, "test", System.getLogger("dev.muster.test"));
    }

    @Test
    void aServerThatIsNotThereIsNamed() throws IOException {
        int port;
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = gone.getLocalPort();
        }
        Outcome outcome = pipe.run("fleet", "list", "--source", "muster:http://127.0.0.1:" + port);
        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.err()).contains("it cannot be reached");
    }

    @Test
    void clustersAreFoundAsKubectlFindsThem(@TempDir Path folder) throws IOException {
        assertThat(pipe.run("fleet", "list", "--source", "kubernetes").err()).contains("no kubeconfig at");
        Path config = Files.writeString(folder.resolve("config"), "current-context: none\n");
        Outcome read = pipe.withEnvironment("KUBECONFIG", config.toString())
                .run("fleet", "list", "--source", "kubernetes:prod");
        assertThat(read.code()).isEqualTo(ExitCode.NO);
        assertThat(read.err()).contains(config.toString());
        Outcome several = pipe.withEnvironment("KUBECONFIG", "/a" + File.pathSeparator + "/b")
                .run("fleet", "list", "--source", "kubernetes");
        assertThat(several.code()).isEqualTo(ExitCode.NO);
        Outcome pod = pipe.withEnvironment("KUBERNETES_SERVICE_HOST", "fd00::1")
                .run("fleet", "list", "--source", "kubernetes");
        assertThat(pod.err()).contains("/var/run/secrets/kubernetes.io/serviceaccount");
    }

    @Test
    void withoutSshHostsAreGaps() {
        Outcome outcome = pipe.run("fleet", "list", "--source", "ssh:n[1-2]");
        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.err()).contains("ssh n1: not run — ssh not found on this machine");
    }

    @Test
    void whatIsNoAddressIsRefusedInOneSentence() {
        for (String source : List.of(
                "prometheus:",
                "prometheus:nowhere",
                "muster:",
                "muster:n1",
                "muster:http://u:p@127.0.0.1:1",
                "muster:http://n1:9470?token=abc",
                "muster:https://n1:9470?after=1",
                "ssh:",
                "ssh:-oProxyCommand=x",
                "ssh:a b",
                "ssh:n[1-5000]",
                "ssh:$(id)@n1")) {
            Outcome outcome = pipe.run("fleet", "list", "--source", source);
            assertThat(outcome.code()).as(source).isEqualTo(ExitCode.USAGE);
            assertThat(outcome.err().lines()).as(source).hasSize(1);
        }
    }
}
