// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.json.JsonValue;
import dev.muster.monitor.DeviceEvents;
import dev.muster.monitor.Sampler.Sample;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A real receiver, whose answers the test decides.
class WebhookTest {
    private static final Duration SHORT = Duration.ofMillis(5);
    private static final String SECRET = "synthetic-secret-of-a-receiver";
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1_700_000_000));

    private final BlockingQueue<Taken> taken = new LinkedBlockingQueue<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final DeviceEvents events = new DeviceEvents();
    private Server receiver = new Server();
    private int failures;
    private int status = 204;
    private long number;

    private record Taken(String path, String signature, String time, String body) {}

    @BeforeEach
    void open() throws Exception {
        receiver = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        receiver.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                String body = Content.Source.asString(request, StandardCharsets.UTF_8);
                boolean fails = asked.incrementAndGet() <= failures;
                if (!fails) {
                    taken.add(new Taken(
                            request.getHttpURI().getPath(),
                            String.valueOf(request.getHeaders().get("Muster-Signature")),
                            String.valueOf(request.getHeaders().get("Muster-Timestamp")),
                            body));
                }
                response.setStatus(fails ? 503 : status);
                response.getHeaders().put("Location", "/elsewhere");
                callback.succeeded();
                return true;
            }
        });
        receiver.start();
    }

    @AfterEach
    void end() throws Exception {
        receiver.stop();
    }

    @Test
    void anEventIsSentSignedAndAgainUntilItIsAccepted() throws Exception {
        failures = 2;
        try (Webhook hook = hook(Optional.of(SECRET))) {
            lose();
            Taken one = taken.poll(20, TimeUnit.SECONDS);

            assertThat(one).isNotNull();
            assertThat(one.path()).isEqualTo("/muster");
            assertThat(one.time()).isEqualTo("1700000000");
            assertThat(one.signature())
                    .isEqualTo("sha256=" + Webhook.signature(bytes(SECRET), one.time(), bytes(one.body())));
            JsonValue document = JsonValue.parse(one.body());
            assertThat(document.requireText("kind")).isEqualTo("events");
            assertThat(document.requireText("host")).isEqualTo("host-a");
            assertThat(document.requireItems("events").getFirst().requireText("event"))
                    .isEqualTo("lost");
            assertThat(asked.get()).isEqualTo(3);
            assertThat(hook.dropped()).isZero();
        }
    }

    /// As computed by: printf '1.{}' | openssl dgst -sha256 -hmac key
    @Test
    void theSignatureIsTheHmacOfTimeAndBody() {
        assertThat(Webhook.signature(bytes("key"), "1", bytes("{}")))
                .isEqualTo("1ba6b8171186efc613e8bcc0cbdab2748f24984d7c5a84faa2637afa0e40d224");
    }

    @Test
    void redirectsAreNotFollowedAndNotTriedAgain() throws Exception {
        status = 307;
        try (Webhook hook = hook(Optional.empty())) {
            lose();
            assertThat(taken.poll(20, TimeUnit.SECONDS)).isNotNull();
            awaitDropped(hook, 1);

            assertThat(asked.get()).isOne();
            assertThat(hook.problem()).hasValueSatisfying(why -> assertThat(why).endsWith("answered 307"));
        }
    }

    @Test
    void aReceiverThatStaysAwayIsGivenUpAfterSomeAttempts() throws Exception {
        failures = Integer.MAX_VALUE;
        try (Webhook hook = hook(Optional.empty())) {
            lose();
            awaitDropped(hook, 1);

            assertThat(asked.get()).isEqualTo(Webhook.MOST_TRIES);
            assertThat(hook.sent()).isZero();
        }
    }

    @Test
    void addressesWithoutAHostOrWithAPasswordAreRefused() {
        for (String text : List.of("ftp://a/", "https://", "http://u:p@host/", "no address")) {
            assertThatThrownBy(() -> Webhook.address(text)).as(text).isInstanceOf(ServerException.class);
        }
    }

    private Webhook hook(Optional<String> secret) {
        return Webhook.start(
                Webhook.address("http://127.0.0.1:" + receiver.getURI().getPort() + "/muster"),
                secret,
                "host-a",
                events,
                SHORT,
                CLOCK);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void lose() {
        for (int devices = 2; devices >= 1; devices--) {
            events.add(new Sample(++number, Instant.EPOCH, ServerFixture.devices(devices)));
        }
    }

    private static void awaitDropped(Webhook hook, long count) throws InterruptedException {
        for (int i = 0; i < 2000 && hook.dropped() < count; i++) {
            Thread.sleep(10);
        }
        assertThat(hook.dropped()).isEqualTo(count);
    }
}
