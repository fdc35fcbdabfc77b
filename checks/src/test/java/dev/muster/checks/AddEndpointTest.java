// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Adds an endpoint as `docs/architecture.md` says, asks it, and finds it in the description of the API.
class AddEndpointTest {
    private static final String PROGRAM = """
            package dev.muster.server;

            import dev.muster.core.AcceleratorRegistry;
            import dev.muster.monitor.SampleHistory;
            import dev.muster.monitor.Sampler;
            import dev.muster.monitor.metric.MetricNames;
            import dev.muster.plan.Planner;
            import java.net.URI;
            import java.net.http.HttpClient;
            import java.net.http.HttpRequest;
            import java.net.http.HttpResponse;
            import java.time.Duration;
            import java.time.InstantSource;
            import java.util.List;
            import java.util.Optional;
            import java.util.Set;

            final class AskServer {
                public static void main(String[] paths) throws Exception {
                    AccessToken token = AccessToken.of("synthetic-token-0123456789abcdef");
                    ServerConfig config = new ServerConfig(
                            List.of(ListenAddress.find("127.0.0.1:0").orElseThrow()), Set.of(), Optional.of(token),
                            Optional.empty(), MetricNames.MUSTER, false, "host", "0");
                    try (Sampler sampler = Sampler.start(() -> AcceleratorRegistry.of(List.of()),
                                    Duration.ofMinutes(1), SampleHistory.ofLength(1), InstantSource.system());
                            MusterServer server = MusterServer.start(config, new ServerSources(sampler,
                                    Planner::of, List.of(), Optional.empty(), List::of, InstantSource.system()),
                                    "test", System.getLogger("test"))) {
                        sampler.awaitNewer(0, Duration.ofSeconds(30));
                        for (String path : paths) {
                            System.out.println(HttpClient.newHttpClient().send(
                                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                                            .header("Authorization", "Bearer " + token.reveal()).build(),
                                    HttpResponse.BodyHandlers.ofString()).body());
                        }
                    }
                }
            }
            """;

    @TempDir
    private Path folder;

    @Test
    void anEndpointIsItsRouteInTheClassOfItsTopic() throws Exception {
        ChangedSources changed = new ChangedSources(folder);
        changed.change("DeviceEndpoints.java", text -> text.replaceFirst("return List.of\\(", """
                return List.of(
                        Route.data(
                                "/api/v1/count",
                                Operation.of("countDevices", "The number of devices")
                                        .answeringWith("text/plain", "A number"),
                                new Endpoint.Now(_ -> Answer.text(
                                        documents.newest().registry().profiles().size() + " devices\\\\n"))),
                """));
        assertThat(changed.sources()).containsExactly("DeviceEndpoints.java");
        changed.add("AskServer.java", PROGRAM);
        changed.compile("DeviceEndpoints");

        String answers = changed.runMain("dev.muster.server.AskServer", "/api/v1/count /api/v1/openapi.json");
        assertThat(answers).contains("0 devices").contains("\"operationId\":\"countDevices\"");

        Map<String, String> documented = ChangedSources.documented("To add an HTTP endpoint");
        assertThat(ChangedSources.javaFiles(documented.getOrDefault("answers from what the server knows", "")))
                .containsExactly("DeviceEndpoints.java");
    }
}
