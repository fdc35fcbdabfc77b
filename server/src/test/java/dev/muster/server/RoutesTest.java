// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class RoutesTest {
    @Test
    void theDescriptionHasEveryRouteAndNoOther() {
        try (ServerFixture fixture = ServerFixture.start()) {
            List<String> routes = new ArrayList<>();
            for (Route route : fixture.server.routes()) {
                routes.add(route.method() + " " + route.path());
            }
            JsonValue description = JsonValue.parse(StaticFiles.description().body());
            List<String> described = new ArrayList<>();
            ((JsonObject) description.require("paths"))
                    .members()
                    .forEach((path, methods) -> ((JsonObject) methods)
                            .members()
                            .keySet()
                            .forEach(method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path)));
            assertThat(described).containsExactlyInAnyOrderElementsOf(routes);
        }
    }

    /// The page offers what the description lists.
    @Test
    void theDescriptionOfAPlanHasEveryWordOfThePlanner() {
        JsonValue question = JsonValue.parse(StaticFiles.description().body())
                .require("paths")
                .require("/api/v1/plan")
                .require("post")
                .require("requestBody")
                .require("content")
                .require("application/json")
                .require("schema")
                .require("properties");
        assertThat(words(question, "goal")).isEqualTo(ServingGoal.labels());
        assertThat(words(question, "engine")).isEqualTo(ServingEngine.labels());
        assertThat(words(question, "emit")).isEqualTo(LaunchTarget.labels());
    }

    private static List<String> words(JsonValue question, String key) {
        return question.require(key).requireItems("enum").stream()
                .map(word -> ((JsonString) word).value())
                .toList();
    }

    /// The description says which routes need no token; the rules have to agree.
    @Test
    void routesThatNeedATokenSaySo() throws IOException, InterruptedException {
        try (ServerFixture fixture = ServerFixture.start()) {
            fixture.awaitSample();
            JsonValue description = JsonValue.parse(StaticFiles.description().body());
            for (Route route : fixture.server.routes()) {
                JsonValue described = description
                        .require("paths")
                        .require(route.path())
                        .require(route.method().toLowerCase(Locale.ROOT));
                boolean open = described.find("security").isPresent();
                String path = route.path().replace("{id}", "cuda:0");
                String answer = fixture.send(route.method() + " " + path
                        + " HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n");
                assertThat(ServerFixture.status(answer)).as(path).isEqualTo(open ? 200 : 401);
            }
        }
    }
}
