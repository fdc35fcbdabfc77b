// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.monitor.Sampler;
import dev.muster.monitor.Sampler.Sample;
import dev.muster.monitor.metric.OtlpDocument;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Pushes metrics to an OpenTelemetry collector, by OTLP over HTTP in Protocol Buffers: the newest sample at an
/// interval, on a thread of its own, so that a slow or missing collector blocks nothing else. Unsent data is dropped:
/// the next sample is newer. After a failure the pause doubles, up to a minute. Safe to share between threads; its
/// creator closes it.
///
/// @since 0.2
public final class OtlpPush implements AutoCloseable {
    private static final Duration MOST_PAUSE = Duration.ofMinutes(1);
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration CLOSING = Duration.ofSeconds(2);

    private final URI address;
    private final Sampler sampler;
    private final OtlpDocument document;
    private final Duration interval;
    private final System.Logger log;
    private final HttpClient client;
    private final Thread thread;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    private volatile @Nullable String problem;

    private OtlpPush(URI address, Sampler sampler, OtlpDocument document, Duration interval, System.Logger log) {
        this.address = address;
        this.sampler = sampler;
        this.document = document;
        this.interval = interval;
        this.log = log;
        this.client = HttpClient.newBuilder()
                .connectTimeout(CONNECT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        this.thread = Thread.ofPlatform().daemon().name("muster-otlp").unstarted(this::run);
    }

    /// Starts to push.
    ///
    /// @param address the collector, as [#address(String)] reads it
    /// @param interval interval between samples that are sent
    public static OtlpPush start(
            URI address, Sampler sampler, OtlpDocument document, Duration interval, System.Logger log) {
        OtlpPush push = new OtlpPush(address, sampler, document, interval, log);
        push.thread.start();
        return push;
    }

    /// Reads the address of a collector, such as `http://localhost:4318`; without a path, `/v1/metrics` is added.
    ///
    /// @throws ServerException if it is none
    public static URI address(String text) {
        try {
            URI uri = URI.create(text);
            boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (web && uri.getHost() != null && uri.getUserInfo() == null) {
                String path = Optional.ofNullable(uri.getPath()).orElse("");
                return path.isEmpty() || path.equals("/") ? uri.resolve("/v1/metrics") : uri;
            }
        } catch (IllegalArgumentException _) {
            // told below
        }
        throw new ServerException("the address of a collector is a URL such as http://localhost:4318");
    }

    /// Returns the number of samples that a collector accepted.
    public long sent() {
        return sent.get();
    }

    /// Returns the number of failed pushes.
    public long failed() {
        return failed.get();
    }

    /// Returns the reason why the last sample was not accepted; empty if it was.
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    private void run() {
        long number = 0;
        Duration pause = interval;
        try {
            do {
                Optional<Sample> newest = sampler.awaitNewer(number, interval);
                if (newest.isPresent() && newest.get().number() > number) {
                    number = newest.get().number();
                    pause = send(newest.get()) ? interval : longer(pause);
                }
            } while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(MOST_PAUSE) > 0 ? MOST_PAUSE : twice;
    }

    private boolean send(Sample sample) throws InterruptedException {
        byte[] body = document.of(sample.at(), sample.registry());
        HttpRequest request = HttpRequest.newBuilder(address)
                .timeout(ANSWER)
                .header("Content-Type", "application/x-protobuf")
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        try {
            HttpResponse<Void> answer = client.send(request, BodyHandlers.discarding());
            if (answer.statusCode() / 100 == 2) {
                sent.incrementAndGet();
                problem = null;
                return true;
            }
            failed(" answered " + answer.statusCode());
        } catch (IOException e) {
            failed(" cannot be reached ("
                    + Optional.ofNullable(e.getMessage()).orElse(e.getClass().getSimpleName()) + ")");
        }
        return false;
    }

    private void failed(String why) {
        failed.incrementAndGet();
        String sentence = "the collector at " + address.getAuthority() + why;
        if (problem == null) {
            log.log(System.Logger.Level.WARNING, sentence);
        }
        problem = sentence;
    }

    /// Stops; a push in progress is abandoned.
    @Override
    public void close() {
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
