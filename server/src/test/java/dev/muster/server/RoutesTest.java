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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class RoutesTest {
    @Test
    void everyRouteIsDescribedUnderANameOfItsOwn() {
        try (ServerFixture fixture = ServerFixture.start()) {
            JsonObject paths = (JsonObject) description(fixture).require("paths");
            List<String> names = new ArrayList<>();
            for (Route route : fixture.server.routes().all()) {
                JsonValue described =
                        paths.require(route.path()).require(route.method().toLowerCase(Locale.ROOT));
                names.add(described.requireText("operationId"));
                assertThat(described.require("responses").find("200")).isPresent();
            }
            assertThat(names).doesNotHaveDuplicates();
            assertThat(paths.members()).hasSize(names.size());
        }
    }

    @Test
    void everySchemaThatIsReferredToIsThere() {
        try (ServerFixture fixture = ServerFixture.start()) {
            JsonValue description = description(fixture);
            String text = description.toText();
            assertThat(text).as("schemas have no address of their own").doesNotContain("\"$id\"", "\"$schema\"");
            Matcher reference = Pattern.compile("\"\\$ref\":\"([^\"]*)\"").matcher(text);
            int count = 0;
            while (reference.find()) {
                String[] path = reference.group(1).split("/", -1);
                assertThat(path[0]).as(reference.group()).isEqualTo("#");
                JsonValue found = description;
                for (int i = 1; i < path.length; i++) {
                    found = found.require(path[i]);
                }
                count++;
            }
            assertThat(count).isGreaterThan(100);
        }
    }

    private static JsonValue description(ServerFixture fixture) {
        return JsonValue.parse(fixture.server.routes().description().body());
    }

    /// The page offers what the description lists.
    @Test
    void theDescriptionOfAPlanHasEveryWordOfThePlanner() {
        try (ServerFixture fixture = ServerFixture.start()) {
            JsonValue question = description(fixture)
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
            JsonValue description = description(fixture);
            for (Route route : fixture.server.routes().all()) {
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
