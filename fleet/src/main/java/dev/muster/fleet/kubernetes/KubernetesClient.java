// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import static dev.muster.fleet.json.JsonFields.text;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.detect.host.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLException;

/// Asks one API server. Names the reason for a missing answer in one sentence. Safe to share between threads; closing
/// it
/// ends requests that are on their way.
final class KubernetesClient implements AutoCloseable {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
    private static final int MAX_RETRIES = 5;
    private static final int MAX_RETRY_SECONDS = 30;
    private static final int MAX_MESSAGE_BYTES = 64 << 10;
    private static final int MAX_MESSAGE = 300;
    private static final int OK = 200;

    private final ClusterAccess access;
    private final HttpClient client;
    private final CountDownLatch closed = new CountDownLatch(1);

    KubernetesClient(ClusterAccess access) {
        this.access = access;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT_LIMIT);
        if ("https".equals(access.server().getScheme())) {
            builder.sslContext(ClusterTls.context(access));
        }
        if (!access.proxy().isBlank()) {
            URI proxy = URI.create(access.proxy());
            builder.proxy(ProxySelector.of(
                    new InetSocketAddress(proxy.getHost(), proxy.getPort() < 0 ? 80 : proxy.getPort())));
        }
        this.client = builder.build();
    }

    /// The source's name for the cluster.
    String name() {
        return "kubernetes:" + access.name();
    }

    /// Asks, and gives the answer's body. When the server has too much to do, it is asked again when it says
    /// so.
    ///
    /// @param what the requested objects, for messages, such as `nodes`
    /// @param path path and query
    InputStream open(String what, String path, Deadline deadline) throws AnswerException, InterruptedException {
        for (int attempt = 0; ; attempt++) {
            HttpResponse<InputStream> response = send(path, deadline);
            try {
                if (response.statusCode() == OK) {
                    boolean packed = response.headers()
                            .firstValue("Content-Encoding")
                            .orElse("")
                            .equals("gzip");
                    return packed ? new GZIPInputStream(response.body(), 64 << 10) : response.body();
                }
                String message = message(response.body());
                int wait = retrySeconds(response);
                if (wait < 0 || attempt == MAX_RETRIES || deadline.remaining().toSeconds() <= wait) {
                    throw refusal(response.statusCode(), what, message);
                }
                if (closed.await(wait, TimeUnit.SECONDS)) {
                    throw refusal(response.statusCode(), what, message);
                }
            } catch (IOException e) {
                throw failure(e);
            }
        }
    }

    private HttpResponse<InputStream> send(String path, Deadline deadline)
            throws AnswerException, InterruptedException {
        String base = access.server().toString();
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path))
                    .timeout(left(deadline))
                    .header("Accept", "application/json")
                    .header("Accept-Encoding", "gzip")
                    .header("User-Agent", "muster");
            if (!access.credential().token().isBlank()) {
                request.header("Authorization", "Bearer " + access.credential().token());
            }
            return client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        } catch (IllegalArgumentException e) {
            throw new AnswerException(
                    name() + ": the token or the server's address has characters that no request can have", e);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /// The rest of the time; a millisecond at least, since a request wants a limit.
    private static Duration left(Deadline deadline) {
        Duration left = deadline.remaining();
        return left.toMillis() > 0 ? left : Duration.ofMillis(1);
    }

    /// The pause before the next try; -1 if the answer will not change.
    private static int retrySeconds(HttpResponse<?> response) {
        if (response.statusCode() != AnswerException.TOO_MANY && response.statusCode() != 503) {
            return -1;
        }
        String told = response.headers().firstValue("Retry-After").orElse("1");
        return (int) Math.min(MAX_RETRY_SECONDS, NodeOffer.wholeNumber(told).orElse(1));
    }

    /// The server's own message: it answers with a Status object.
    private static String message(InputStream body) throws IOException {
        try (body) {
            byte[] bytes = body.readNBytes(MAX_MESSAGE_BYTES);
            String message = text(JsonValue.parse(bytes), "message");
            String shown = message.replaceAll("\\p{Cntrl}", " ");
            return shown.length() > MAX_MESSAGE ? shown.substring(0, MAX_MESSAGE) + "…" : shown;
        } catch (DocumentException _) {
            return "";
        }
    }

    private AnswerException refusal(int status, String what, String message) {
        String said = message.isBlank() ? "" : ": " + message;
        return new AnswerException(
                status,
                switch (status) {
                    case AnswerException.UNAUTHORIZED ->
                        name() + ": " + access.server()
                                + " does not know these credentials (401); log in again, or check the token";
                    case AnswerException.FORBIDDEN ->
                        name() + ": these credentials may not list " + what + " (403)" + said
                                + "; ask for a ClusterRole with get, list and watch of " + what;
                    case AnswerException.NOT_FOUND -> name() + ": the server knows no " + what + " (404)";
                    case AnswerException.GONE -> name() + ": the list of " + what + " is too old (410)" + said;
                    case AnswerException.TOO_MANY ->
                        name() + ": the server has too much to do and did not list " + what
                                + " in time (429); try again later";
                    default -> name() + ": the server did not list " + what + " (" + status + ")" + said;
                });
    }

    /// The reason for a missing or partial answer.
    AnswerException failure(Exception e) {
        String server = access.server().toString();
        String why = switch (e) {
            case HttpTimeoutException _ -> server + " did not answer in time";
            case ConnectException _ -> server + " cannot be reached; is it up, and is the address right?";
            case SSLException _ ->
                server + " cannot prove who it is, or does not take the client's certificate: " + e.getMessage();
            case DocumentException _ -> "what " + server + " sends is not JSON: " + e.getMessage();
            default -> "the connection to " + server + " broke: " + e.getMessage();
        };
        return new AnswerException(name() + ": " + why, e);
    }

    boolean isClosed() {
        return closed.getCount() == 0;
    }

    @Override
    public void close() {
        closed.countDown();
        client.shutdownNow();
    }
}
