// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.JsonValue;
import dev.muster.monitor.metric.MetricNames;
import dev.muster.testing.Waiting;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class MusterServerTest {
    private static final Duration DAY = Duration.ofDays(1);

    @Test
    void isReadyAfterTheFirstLook() throws Exception {
        CountDownLatch look = new CountDownLatch(1);
        try (ServerFixture fixture = ServerFixture.start(
                () -> {
                    await(look);
                    return ServerFixture.devices(1);
                },
                true,
                DAY)) {
            assertThat(ServerFixture.status(fixture.get("/-/healthy"))).isEqualTo(200);
            assertThat(fixture.get("/-/ready")).startsWith("HTTP/1.1 503").contains("Retry-After: 1");
            assertThat(fixture.get("/metrics")).contains("muster_up 0").doesNotContain("accel_");
            look.countDown();
            fixture.awaitSample();
            assertThat(ServerFixture.status(fixture.get("/-/ready"))).isEqualTo(200);
            assertThat(fixture.get("/metrics")).contains("muster_up 1").contains("accel_power_watts{");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void clientsDoNotMakeTheHostBeLookedAt() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        try (ServerFixture fixture = ServerFixture.start(
                () -> {
                    looks.incrementAndGet();
                    return ServerFixture.devices(1);
                },
                true,
                DAY)) {
            fixture.awaitSample();
            for (int i = 0; i < 50; i++) {
                assertThat(ServerFixture.status(fixture.data("/api/v1/registry")))
                        .isEqualTo(200);
                assertThat(ServerFixture.status(fixture.get("/metrics"))).isEqualTo(200);
            }
            assertThat(looks).hasValue(1);
        }
    }

    @Test
    void aTokenInTheAddressBecomesACookie() throws Exception {
        try (ServerFixture fixture = ServerFixture.start()) {
            fixture.awaitSample();
            String answer = fixture.get("/?token=" + ServerFixture.TOKEN);
            assertThat(answer).startsWith("HTTP/1.1 303").contains("Location: /\r\n");
            String cookie = answer.lines()
                    .filter(line -> line.startsWith("Set-Cookie: "))
                    .findFirst()
                    .orElseThrow();
            assertThat(cookie).contains("; HttpOnly; SameSite=Strict; Path=/").doesNotContain(ServerFixture.TOKEN);
            String pair = cookie.substring("Set-Cookie: ".length(), cookie.indexOf(';'));
            assertThat(ServerFixture.status(fixture.get("/api/v1/registry", "Cookie: a=b; " + pair)))
                    .isEqualTo(200);
            assertThat(ServerFixture.status(fixture.get("/api/v1/registry", "Cookie: " + pair + "0")))
                    .isEqualTo(401);
        }
    }

    @Test
    void tagsHeadAndCompressionWork() throws Exception {
        try (ServerFixture fixture = ServerFixture.start(() -> ServerFixture.devices(8), false, DAY)) {
            fixture.awaitSample();
            String answer = fixture.data("/api/v1/registry");
            String tag = answer.lines()
                    .filter(line -> line.startsWith("ETag: "))
                    .findFirst()
                    .orElseThrow()
                    .substring("ETag: ".length());
            String again = fixture.data("/api/v1/registry", "If-None-Match: \"x\", " + tag);
            assertThat(again).startsWith("HTTP/1.1 304");
            assertThat(ServerFixture.body(again)).isEmpty();

            String head = fixture.send(String.join(
                    "\r\n",
                    "HEAD /api/v1/registry HTTP/1.1",
                    "Host: localhost:{port}",
                    "Authorization: Bearer {token}",
                    "Connection: close",
                    "",
                    ""));
            assertThat(head).startsWith("HTTP/1.1 200").contains("Content-Length: ");
            assertThat(ServerFixture.body(head)).isEmpty();

            try (Socket socket = fixture.open()) {
                socket.getOutputStream()
                        .write(("GET /api/v1/registry HTTP/1.1\r\nHost: localhost:" + fixture.port()
                                        + "\r\nAuthorization: Bearer " + ServerFixture.TOKEN
                                        + "\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n")
                                .getBytes(StandardCharsets.UTF_8));
                byte[] bytes = socket.getInputStream().readAllBytes();
                String text = new String(bytes, StandardCharsets.ISO_8859_1);
                int start = text.indexOf("\r\n\r\n") + 4;
                assertThat(text).contains("Content-Encoding: gzip");
                byte[] body = new GZIPInputStream(new ByteArrayInputStream(bytes, start, bytes.length - start))
                        .readAllBytes();
                assertThat(new String(body, StandardCharsets.UTF_8)).isEqualTo(ServerFixture.body(answer));
            }
        }
    }

    @Test
    void eventsTellOfSamples() throws Exception {
        try (ServerFixture fixture = ServerFixture.start();
                Socket socket = fixture.open()) {
            socket.getOutputStream()
                    .write(("GET /api/v1/events HTTP/1.1\r\nHost: localhost:" + fixture.port()
                                    + "\r\nAuthorization: Bearer " + ServerFixture.TOKEN + "\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            List<Long> numbers = new ArrayList<>();
            while (numbers.size() < 3) {
                String line = lines.readLine();
                if (line.startsWith("data: ")) {
                    JsonValue sample = JsonValue.parse(line.substring("data: ".length()));
                    assertThat(sample.requireItems("devices").getFirst().requireText("id"))
                            .isEqualTo("cuda:0");
                    numbers.add((long) sample.requireNumber("number").toDouble());
                }
            }
            assertThat(numbers).isSorted().doesNotHaveDuplicates();
        }
    }

    /// A client reads nothing while samples come, and then all: between two samples that are not neighbours it is told
    /// how many it missed.
    @Test
    void aClientThatDoesNotKeepUpIsToldHowMuchItMissed() throws Exception {
        AcceleratorRegistry many = ServerFixture.devices(400);
        try (ServerFixture fixture = ServerFixture.start(() -> many, false, Duration.ofMillis(10));
                Socket socket = new Socket()) {
            fixture.awaitSample();
            socket.setReceiveBufferSize(4096);
            socket.setSoTimeout(15_000);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), fixture.port()));
            socket.getOutputStream()
                    .write(("GET /api/v1/events HTTP/1.1\r\nHost: localhost:" + fixture.port()
                                    + "\r\nAuthorization: Bearer " + ServerFixture.TOKEN + "\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            for (long seen = 0; seen < 60; ) {
                seen = fixture.sampler
                        .awaitNewer(seen, Duration.ofSeconds(10))
                        .orElseThrow()
                        .number();
            }

            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 1 << 16);
            long before = 0;
            long missed = 0;
            long after = 0;
            while (after == 0) {
                String line = lines.readLine();
                if (line.startsWith("data: {\"schema\":1,\"kind\":\"lag\"")) {
                    missed = Long.parseLong(line.replaceFirst(".*\"missed\":(\\d+).*", "$1"));
                } else if (line.startsWith("id: ")) {
                    long number = Long.parseLong(line.substring(4));
                    after = missed > 0 ? number : 0;
                    before = missed > 0 ? before : number;
                }
            }
            assertThat(after).isEqualTo(before + missed + 1);
        }
    }

    @Test
    void aPollWaitsForANewerSample() throws Exception {
        try (ServerFixture fixture = ServerFixture.start()) {
            fixture.awaitSample();
            long number = fixture.sampler.newest().orElseThrow().number();
            String answer = fixture.data("/api/v1/registry?after=" + number + "&wait=30s");
            String told = answer.lines()
                    .filter(line -> line.startsWith("Muster-Sample: "))
                    .findFirst()
                    .orElseThrow();
            assertThat(Long.parseLong(told.substring("Muster-Sample: ".length())))
                    .isGreaterThan(number);
        }
    }

    @Test
    void historyHasANumberForEachSample() throws Exception {
        try (ServerFixture fixture = ServerFixture.start()) {
            fixture.sampler.awaitNewer(2, Duration.ofSeconds(10));
            JsonValue history = JsonValue.parse(
                    ServerFixture.body(fixture.data("/api/v1/devices/cuda%3A0/history?facts=powerWatts&minutes=1")));
            assertThat(history.requireItems("atMillis")).hasSizeGreaterThanOrEqualTo(2);
            assertThat(history.require("facts")
                            .requireItems("powerWatts")
                            .getFirst()
                            .toText())
                    .startsWith("300");
        }
    }

    /// Names of devices are data: any content is written as quoted text, without control characters.
    @Test
    void namesOfDevicesStayData() throws Exception {
        try (ServerFixture fixture = ServerFixture.start()) {
            fixture.awaitSample();
            for (String path : List.of("/api/v1/registry", "/metrics", "/api/v1/devices")) {
                String answer = fixture.data(path);
                assertThat(answer).contains("<img src=x onerror=alert(1)>").doesNotContain("\u001b");
                assertThat(answer).contains("X-Content-Type-Options: nosniff").doesNotContain("text/html");
            }
        }
    }

    @Test
    void plansWithoutSideEffects() throws Exception {
        try (ServerFixture fixture = ServerFixture.start()) {
            fixture.awaitSample();
            assertThat(plan(fixture, "{\"model\":\"llama-3.1-8b\"}"))
                    .startsWith("HTTP/1.1 200")
                    .contains("\"kind\":\"serving-plan\"");
            assertThat(plan(fixture, "{\"model\":\"/etc/passwd\"}"))
                    .startsWith("HTTP/1.1 422")
                    .contains("no-model");
            assertThat(plan(fixture, "{\"model\":\"8B\",\"file\":\"x\"}")).startsWith("HTTP/1.1 400");
            assertThat(plan(fixture, "[")).startsWith("HTTP/1.1 400");
        }
    }

    @Test
    void plansForLatencyOfOneRequestAndForThroughputOfSeveral() throws Exception {
        try (ServerFixture fixture = ServerFixture.start()) {
            fixture.awaitSample();
            assertThat(plan(fixture, "{\"model\":\"llama-3.1-8b\"}")).contains("\"goal\":\"latency\"");
            assertThat(plan(fixture, "{\"model\":\"llama-3.1-8b\",\"concurrency\":2}"))
                    .contains("\"goal\":\"throughput\"");
            assertThat(plan(fixture, "{\"model\":\"llama-3.1-8b\",\"concurrency\":2,\"goal\":\"latency\"}"))
                    .contains("\"goal\":\"latency\"");
        }
    }

    private static String plan(ServerFixture fixture, String body) throws IOException {
        return fixture.send("POST /api/v1/plan HTTP/1.1\r\nHost: localhost:{port}\r\nAuthorization: Bearer {token}\r\n"
                + "Content-Type: application/json\r\nConnection: close\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body);
    }

    @Test
    void othersAreAnsweredWhileManyAreSlow() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try (ServerFixture fixture = ServerFixture.start(() -> ServerFixture.devices(64), false, DAY)) {
            fixture.awaitSample();
            for (int i = 0; i < 200; i++) {
                Socket socket = new Socket();
                slow.add(socket);
                socket.setReceiveBufferSize(4096);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), fixture.port()));
                String whole = "GET /api/v1/registry HTTP/1.1\r\nHost: localhost:" + fixture.port()
                        + "\r\nAuthorization: Bearer " + ServerFixture.TOKEN + "\r\n\r\n";
                // Every other one asks for much and reads nothing; the others never come to an end.
                String sent = i % 2 == 0 ? whole.repeat(16) : whole.substring(0, 60);
                socket.getOutputStream().write(sent.getBytes(StandardCharsets.UTF_8));
            }
            for (int i = 0; i < 20; i++) {
                long start = System.nanoTime();
                assertThat(ServerFixture.status(fixture.data("/api/v1/registry")))
                        .isEqualTo(200);
                assertThat(Duration.ofNanos(System.nanoTime() - start))
                        .isLessThan(Waiting.limit(Duration.ofSeconds(1)));
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void beyondThisMachineNobodyComesInWithoutASecret() {
        assertThatThrownBy(() -> new ServerConfig(
                        List.of(ListenAddress.find("0.0.0.0:0").orElseThrow()),
                        Set.of(),
                        Optional.empty(),
                        Optional.empty(),
                        MetricNames.MUSTER,
                        false,
                        "",
                        ""))
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("a token or client certificates");
    }
}
