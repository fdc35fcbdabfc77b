// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuestionEndpointsTest {
    /// Simulations that take minutes each.
    private static final String HEAVY = "{\"model\":\"llama-3.1-8b\",\"users\":10000,\"requests\":100000,"
            + "\"warmUpRequests\":0,\"inputTokens\":3000,\"outputTokens\":30000}";

    @Test
    void heavyQuestionsDoNotDelayALightOne() throws Exception {
        AcceleratorRegistry devices = WhatIf.synthetic("h100-sxm:8", DeviceCatalogue.builtIn());
        try (ServerFixture fixture = ServerFixture.start(() -> devices, false, Duration.ofMinutes(1))) {
            fixture.awaitSample();
            List<Socket> heavy = new ArrayList<>();
            try {
                for (int i = 0; i < 4; i++) {
                    Socket socket = fixture.open();
                    heavy.add(socket);
                    socket.getOutputStream().write(bytes(fixture, "simulate", HEAVY));
                    socket.getOutputStream().flush();
                }
                assertThat(ask(fixture, "plan", "{\"model\":\"llama-3.1-8b\"}"))
                        .startsWith("HTTP/1.1 200")
                        .contains("\"fits\":true");
                for (Socket socket : heavy) {
                    int answered = socket.getInputStream().available();
                    assertThat(new String(socket.getInputStream().readNBytes(answered), StandardCharsets.UTF_8))
                            .isEmpty();
                }
            } finally {
                for (Socket socket : heavy) {
                    socket.close();
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "plan, hosts, 4097",
        "fleet-plan, hosts, 4097",
        "simulate, users, 10001",
        "simulate, burst, 10001",
        "simulate, requests, 100001"
    })
    void whatOneQuestionMayAskForIsLimited(String kind, String key, int value) throws Exception {
        try (ServerFixture fixture = ServerFixture.start()) {
            fixture.awaitSample();
            assertThat(ask(fixture, kind, "{\"model\":\"8B\",\"" + key + "\":" + value + "}"))
                    .startsWith("HTTP/1.1 400")
                    .contains("'" + key + "' is at most " + (value - 1));
        }
    }

    @Test
    void withoutAModelFitListsTheModelsThatRun() throws Exception {
        try (ServerFixture fixture = ServerFixture.start()) {
            fixture.awaitSample();
            assertThat(ask(fixture, "fit", "{}")).startsWith("HTTP/1.1 200").contains("\"kind\":\"models\"");
        }
    }

    @Test
    void aFleetNeedsASource() throws Exception {
        try (ServerFixture fixture = ServerFixture.start()) {
            fixture.awaitSample();
            assertThat(ask(fixture, "fleet-plan", "{\"model\":\"8B\"}"))
                    .startsWith("HTTP/1.1 422")
                    .contains("no-fleet");
        }
    }

    private static String ask(ServerFixture fixture, String kind, String body) throws IOException {
        return fixture.send(bytes(fixture, kind, body));
    }

    private static byte[] bytes(ServerFixture fixture, String kind, String body) {
        return ("POST /api/v1/" + kind + " HTTP/1.1\r\nHost: localhost:" + fixture.port() + "\r\nAuthorization: Bearer "
                        + ServerFixture.TOKEN + "\r\nContent-Type: application/json\r\nConnection: close\r\n"
                        + "Content-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.ISO_8859_1);
    }
}
