// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.json.JsonValue;
import dev.muster.monitor.AlertRule;
import dev.muster.monitor.SampleHistory;
import dev.muster.monitor.Sampler;
import dev.muster.monitor.metric.MetricNames;
import dev.muster.plan.Planner;
import dev.muster.server.AccessToken;
import dev.muster.server.ListenAddress;
import dev.muster.server.MusterServer;
import dev.muster.server.ServerConfig;
import dev.muster.server.ServerSources;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Documents of a server against their schemas.
class ServerSchemaTest {
    private static final int LIMIT_SECONDS = 60;

    @Test
    void theAnswersOfAServerAreAsDescribed() throws Exception {
        AccessToken token = AccessToken.of("synthetic-token-0123456789abcdef");
        ServerConfig config = new ServerConfig(
                List.of(ListenAddress.find("127.0.0.1:0").orElseThrow()),
                Set.of(),
                Optional.of(token),
                Optional.empty(),
                MetricNames.MUSTER,
                false,
                "host",
                "0");
        try (Sampler sampler = Sampler.start(
                        FullRegistry::create,
                        Duration.ofMinutes(1),
                        SampleHistory.ofLength(10),
                        InstantSource.system());
                MusterServer server = MusterServer.start(
                        config,
                        new ServerSources(
                                sampler,
                                Planner::of,
                                AlertRule.parse("temperature>1C"),
                                Optional.empty(),
                                List::of,
                                InstantSource.system()),
                        "test",
                        System.getLogger("test"))) {
            assertThat(sampler.awaitNewer(0, Duration.ofSeconds(LIMIT_SECONDS))).isPresent();
            String id = FullRegistry.create().profiles().getFirst().id().text().replace(":", "%3A");
            for (Map.Entry<String, String> one : Map.of(
                            "devices", "devices",
                            "device", "devices/" + id,
                            "history", "devices/" + id + "/history",
                            "processes", "processes",
                            "host", "host",
                            "alerts", "alerts",
                            "topology", "topology",
                            "models", "models",
                            "error", "nothing")
                    .entrySet()) {
                HttpRequest request = HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + server.port() + "/api/v1/" + one.getValue()))
                        .header("Authorization", "Bearer " + token.reveal())
                        .build();
                String document = HttpClient.newHttpClient()
                        .send(request, HttpResponse.BodyHandlers.ofString())
                        .body();
                assertThat(JsonValue.parse(document).requireText("kind")).isEqualTo(one.getKey());
                new SchemaTest().assertValid(one.getKey(), document);
            }
        }
    }
}
