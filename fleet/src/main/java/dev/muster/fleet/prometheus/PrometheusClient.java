// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.prometheus;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.detect.host.Deadline;
import dev.muster.fleet.FleetException;
import dev.muster.fleet.json.JsonFields;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLException;

/// Asks one server over HTTP, and names the reason for a missing answer in one sentence.
final class PrometheusClient implements AutoCloseable {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
    private static final int MAX_MESSAGE_BYTES = 64 << 10;
    private static final int MAX_MESSAGE = 300;
    private static final int OK = 200;
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

    private final String name;
    private final PrometheusConfig config;
    private final HttpClient client;

    PrometheusClient(String name, PrometheusConfig config) {
        if (!config.token().isBlank()
                && "http".equals(config.address().getScheme())
                && !LOOPBACK.contains(config.address().getHost())) {
            throw new FleetException(name + ": a token would go there without encryption; use https");
        }
        this.name = name;
        this.config = config;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT_LIMIT)
                .build();
    }

    /// The body of an answer.
    ///
    /// @param path the path after the address; blank for the address itself
    InputStream open(String path, String form, Deadline deadline) throws InterruptedException {
        String base = config.address().toString();
        String address = (path.isEmpty() || !base.endsWith("/") ? base : base.substring(0, base.length() - 1)) + path;
        try {
            Duration left = deadline.remaining();
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address))
                    .timeout(left.toMillis() > 0 ? left : Duration.ofMillis(1))
                    .header("Accept", form)
                    .header("Accept-Encoding", "gzip")
                    .header("User-Agent", "muster");
            if (!config.token().isBlank()) {
                request.header("Authorization", "Bearer " + config.token());
            }
            HttpResponse<InputStream> response =
                    client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            if (response.statusCode() != OK) {
                throw refusal(response.statusCode(), message(response.body()));
            }
            boolean packed =
                    response.headers().firstValue("Content-Encoding").orElse("").equals("gzip");
            return packed ? new GZIPInputStream(response.body(), 64 << 10) : response.body();
        } catch (IllegalArgumentException e) {
            throw new FleetException(name + ": the token or the address has characters that no request can have", e);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private FleetException refusal(int status, String message) {
        String said = message.isEmpty() ? "" : ": " + message;
        return new FleetException(
                switch (status) {
                    case 401, 403 -> name + ": it does not let you read metrics (" + status + "); give a token";
                    case 404 ->
                        name + ": there is nothing (404); give the address of the server, or of a page that ends in"
                                + " /metrics";
                    default -> name + ": it did not answer the query (" + status + ")" + said;
                });
    }

    private static String message(InputStream body) throws IOException {
        try (body) {
            String message = JsonFields.text(JsonValue.parse(body.readNBytes(MAX_MESSAGE_BYTES)), "error")
                    .replaceAll("\\p{Cntrl}", " ");
            return message.length() > MAX_MESSAGE ? message.substring(0, MAX_MESSAGE) + "…" : message;
        } catch (DocumentException _) {
            return "";
        }
    }

    /// The reason for a missing or partial answer.
    FleetException failure(IOException e) {
        String why = switch (e) {
            case HttpTimeoutException _ -> "it did not answer in time";
            case ConnectException _ -> "it cannot be reached; is it up, and is the address right?";
            case SSLException _ -> "it cannot prove who it is: " + e.getMessage();
            default -> "the answer cannot be read: " + e.getMessage();
        };
        return new FleetException(name + ": " + why, e);
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
