// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.live;

import dev.muster.cli.option.CommandException;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.report.text.Printable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Asks a serving engine for its metrics, and for what it states of itself. Confined to one thread; its creator closes
/// it.
final class EngineClient implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int MAX_BYTES = 16 << 20;
    private static final int OK = 200;
    private static final int NOT_IMPLEMENTED = 501;
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]", "::1");

    private final URI base;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(LIMIT)
            .build();
    private final Set<String> requests = new HashSet<>();
    private boolean hasSlots = true;

    /// A statement of an engine about itself.
    ///
    /// @param path path of a JSON document
    /// @param keys keys to the value, outside first
    private record Statement(String path, List<String> keys, Fact fact) {}

    // The endpoints of vLLM, SGLang, llama.cpp and Dynamo; each has some of them.
    private static final List<Statement> STATEMENTS = List.of(
            new Statement("/version", List.of("version"), Fact.RELEASE),
            new Statement("/server_info", List.of("version"), Fact.RELEASE),
            new Statement("/server_info", List.of("model_path"), Fact.MODEL),
            new Statement("/server_info", List.of("tp_size"), Fact.TP),
            new Statement("/server_info", List.of("quantization"), Fact.WEIGHT_FORMAT),
            new Statement("/server_info", List.of("max_running_requests"), Fact.SLOTS),
            new Statement("/server_info", List.of("disable_cuda_graph"), Fact.GRAPHS),
            new Statement("/server_info", List.of("disable_radix_cache"), Fact.PREFIX_CACHE),
            new Statement("/props", List.of("model_path"), Fact.MODEL),
            new Statement("/props", List.of("build_info"), Fact.RELEASE),
            new Statement("/props", List.of("total_slots"), Fact.SLOTS),
            new Statement("/v1/models", List.of("data", "id"), Fact.MODEL));

    EngineClient(String url) {
        String text = url.contains("://") ? url : "http://" + url;
        try {
            URI uri = URI.create(text.replaceFirst("/metrics/?$", "").replaceFirst("/+$", ""));
            if (uri.getHost() == null || !Set.of("http", "https").contains(uri.getScheme())) {
                throw new IllegalArgumentException("no host");
            }
            this.base = uri;
        } catch (IllegalArgumentException e) {
            throw new CommandException(
                    "'" + Printable.of(url) + "' is not the address of a server, such as http://localhost:8000", e);
        }
    }

    /// Reports whether the server runs on this host.
    boolean isHere() {
        return LOOPBACK.contains(base.getHost());
    }

    @Override
    public String toString() {
        return base.toString();
    }

    /// Returns the page of metrics.
    String page() throws InterruptedException {
        HttpResponse<String> answer = get("/metrics");
        if (answer.statusCode() == NOT_IMPLEMENTED) {
            throw new CommandException(base + " has its metrics switched off; start llama-server with --metrics");
        }
        if (answer.statusCode() != OK) {
            throw new CommandException(base + "/metrics answered with status " + answer.statusCode()
                    + "; give the address of the engine (SGLang: start it with --enable-metrics)");
        }
        return answer.body();
    }

    /// Returns what the engine states of itself.
    Map<Fact, String> facts() throws InterruptedException {
        Map<Fact, String> facts = new EnumMap<>(Fact.class);
        Map<String, Optional<JsonValue>> documents = new HashMap<>();
        for (Statement one : STATEMENTS) {
            Optional<JsonValue> value = documents.get(one.path);
            if (value == null) {
                value = json(one.path);
                documents.put(one.path, value);
            }
            for (String key : one.keys) {
                value = value.map(EngineClient::first).flatMap(inside -> inside.find(key));
            }
            value.flatMap(found -> text(found, one.fact)).ifPresent(text -> facts.putIfAbsent(one.fact, text));
        }
        return facts;
    }

    private static JsonValue first(JsonValue value) {
        return value instanceof JsonArray(List<JsonValue> items) && !items.isEmpty() ? items.getFirst() : value;
    }

    private static Optional<String> text(JsonValue value, Fact fact) {
        return switch (value) {
            case JsonString(String text) when !text.isBlank() -> Optional.of(text);
            case JsonNumber number -> Optional.of(Long.toString(Math.round(number.toDouble())));
            // The statements that are true or false say that something is switched off.
            case JsonBoolean(boolean isOff)
            when isOff && (fact == Fact.GRAPHS || fact == Fact.PREFIX_CACHE) -> Optional.of("off");
            default -> Optional.empty();
        };
    }

    /// Looks which requests llama.cpp processes, since its metrics do not count them.
    void look() throws InterruptedException {
        if (hasSlots && json("/slots").orElse(null) instanceof JsonArray(List<JsonValue> slots)) {
            for (JsonValue slot : slots) {
                if (slot instanceof JsonObject
                        && slot.find("is_processing").orElse(null) instanceof JsonBoolean(boolean isBusy)
                        && isBusy) {
                    slot.find("id_task").ifPresent(task -> requests.add(task.toString()));
                }
            }
        } else {
            hasSlots = false;
        }
    }

    /// Returns the number of requests that were seen in slots; 0 for engines without them.
    int requestsSeen() {
        return requests.size();
    }

    private Optional<JsonValue> json(String path) throws InterruptedException {
        try {
            HttpResponse<String> answer = get(path);
            return answer.statusCode() == OK ? Optional.of(JsonValue.parse(answer.body())) : Optional.empty();
        } catch (DocumentException | CommandException _) {
            return Optional.empty();
        }
    }

    private HttpResponse<String> get(String path) throws InterruptedException {
        try {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create(base + path))
                            .timeout(LIMIT)
                            .header("User-Agent", "muster")
                            .build(),
                    HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofString(), MAX_BYTES));
            return answer;
        } catch (IOException e) {
            String reason = switch (e) {
                case HttpTimeoutException _ -> "does not answer in time";
                case ConnectException _ -> "cannot be reached; is the engine up, and the address right?";
                default -> "cannot be read: " + Printable.of(e);
            };
            throw new CommandException(base + path + " " + reason, e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
