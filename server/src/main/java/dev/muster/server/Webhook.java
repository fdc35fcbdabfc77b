// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.monitor.DeviceEvent;
import dev.muster.monitor.DeviceEvents;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Sends events of devices to a web address: several at once as one JSON document, signed, on a thread of its own.
/// Redirects are not followed. What is not accepted is sent again with growing pauses, and dropped after
/// [#MOST_TRIES] attempts; what does not fit into the queue meanwhile is dropped at once. Safe to share between
/// threads; its creator closes it.
///
/// @since 0.3
public final class Webhook implements AutoCloseable {
    /// The number of attempts for one document.
    public static final int MOST_TRIES = 5;
    /// The number of events that wait.
    public static final int MOST_WAITING = 256;
    /// The fewest characters of a secret.
    public static final int LEAST_SECRET = 16;

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration CLOSING = Duration.ofSeconds(2);
    private static final int TOO_MANY = 429;

    private final URI address;
    private final byte @Nullable [] secret;
    private final String host;
    private final Duration pause;
    private final InstantSource clock;
    private final HttpClient client;
    private final BlockingQueue<DeviceEvent> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Runnable unsubscribe;
    private final Thread thread;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private volatile @Nullable String problem;

    private Webhook(
            URI address,
            Optional<String> secret,
            String host,
            DeviceEvents events,
            Duration pause,
            InstantSource clock) {
        this.address = address;
        this.secret = secret.map(text -> text.getBytes(StandardCharsets.UTF_8)).orElse(null);
        this.host = host;
        this.pause = pause;
        this.clock = clock;
        this.client = HttpClient.newBuilder()
                .connectTimeout(CONNECT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        this.thread = Thread.ofPlatform().daemon().name("muster-webhook").unstarted(this::run);
        this.unsubscribe = events.subscribe(news -> news.forEach(event -> {
            if (!waiting.offer(event)) {
                dropped.incrementAndGet();
            }
        }));
    }

    /// Starts to send.
    ///
    /// @param address the receiver, as [#address(String)] reads it
    /// @param secret key of the signature; empty for documents without one
    /// @param host the host's name, for the receiver
    /// @param events the events
    /// @param pause pause before the second attempt; doubled before each further one
    /// @param clock time of signatures
    public static Webhook start(
            URI address,
            Optional<String> secret,
            String host,
            DeviceEvents events,
            Duration pause,
            InstantSource clock) {
        Webhook hook = new Webhook(address, secret, host, events, pause, clock);
        hook.thread.start();
        return hook;
    }

    /// Reads the address of a receiver, such as `https://hooks.example/muster`.
    ///
    /// @throws ServerException if it is none
    public static URI address(String text) {
        try {
            URI uri = URI.create(text);
            boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (web && uri.getHost() != null && uri.getUserInfo() == null) {
                return uri;
            }
        } catch (IllegalArgumentException _) {
            // told below
        }
        throw new ServerException("the address of a receiver is a URL such as https://hooks.example/muster");
    }

    /// Returns the number of events that the receiver accepted.
    public long sent() {
        return sent.get();
    }

    /// Returns the number of events that were dropped.
    public long dropped() {
        return dropped.get();
    }

    /// Returns the reason why the last document was not accepted; empty if it was.
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    private void run() {
        try {
            while (closed.getCount() > 0) {
                List<DeviceEvent> events = new ArrayList<>();
                events.add(waiting.take());
                waiting.drainTo(events);
                deliver(events);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    private void deliver(List<DeviceEvent> events) throws InterruptedException {
        byte[] body = JsonObject.document("events")
                .put("host", host)
                .put("events", events, DeviceEvent::toJson)
                .build()
                .toText()
                .getBytes(StandardCharsets.UTF_8);
        Duration wait = pause;
        for (int attempt = 1; attempt <= MOST_TRIES; attempt++) {
            Outcome outcome = send(body);
            if (outcome == Outcome.ACCEPTED) {
                sent.addAndGet(events.size());
                problem = null;
                return;
            }
            if (outcome == Outcome.REFUSED || attempt == MOST_TRIES) {
                break;
            }
            if (closed.await(wait.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
            wait = wait.multipliedBy(2);
        }
        dropped.addAndGet(events.size());
    }

    private enum Outcome {
        ACCEPTED,
        REFUSED,
        AGAIN
    }

    private Outcome send(byte[] body) throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .timeout(ANSWER)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(body));
        byte[] key = secret;
        if (key != null) {
            String time = Long.toString(clock.instant().getEpochSecond());
            request.header("Muster-Timestamp", time).header("Muster-Signature", "sha256=" + signature(key, time, body));
        }
        try {
            int status = client.send(request.build(), BodyHandlers.discarding()).statusCode();
            if (status / 100 == 2) {
                return Outcome.ACCEPTED;
            }
            problem = "the webhook at " + address.getAuthority() + " answered " + status;
            return status / 100 == 5 || status == TOO_MANY ? Outcome.AGAIN : Outcome.REFUSED;
        } catch (IOException e) {
            problem = "the webhook at " + address.getAuthority() + " cannot be reached ("
                    + Optional.ofNullable(e.getMessage()).orElse(e.getClass().getSimpleName()) + ")";
            return Outcome.AGAIN;
        }
    }

    /// Returns the signature of a document: HMAC-SHA256 of the time, a dot and the body, in hexadecimal digits.
    static String signature(byte[] key, String time, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((time + ".").getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }

    /// Stops; what waits is dropped.
    @Override
    public void close() {
        unsubscribe.run();
        closed.countDown();
        thread.interrupt();
        try {
            thread.join(CLOSING);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        client.shutdownNow();
    }
}
