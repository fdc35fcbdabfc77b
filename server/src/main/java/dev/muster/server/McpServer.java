// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.plan.Planner;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// The questions of Muster as tools of a language model, by the Model Context Protocol: a message of JSON-RPC 2.0 in,
/// at most one out. Tools change nothing and open no file that a client names. Confined to one thread; its creator
/// closes it.
///
/// @since 0.3
public final class McpServer implements AutoCloseable {
    /// The revisions of the protocol that this server follows, the newest first.
    private static final List<String> REVISIONS = List.of("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");

    private static final int PARSE_ERROR = -32700;
    private static final int INVALID_REQUEST = -32600;
    private static final int METHOD_NOT_FOUND = -32601;
    private static final int INVALID_PARAMS = -32602;

    private final McpTools tools;
    private final String version;

    private McpServer(McpTools tools, String version) {
        this.tools = tools;
        this.version = version;
    }

    /// Creates a server.
    ///
    /// @param registry detects the machine, on each call that needs it
    /// @param planner planner for a registry
    /// @param version version of the program
    public static McpServer of(
            Supplier<AcceleratorRegistry> registry, Function<AcceleratorRegistry, Planner> planner, String version) {
        return new McpServer(new McpTools(registry, planner, version), version);
    }

    /// Returns the reply to a message; empty for notifications.
    public Optional<String> answer(String message) {
        JsonValue parsed;
        try {
            parsed = JsonValue.parse(message);
        } catch (DocumentException e) {
            return Optional.of(error(new JsonNull(), PARSE_ERROR, "not JSON: " + e.getMessage()));
        }
        if (!(parsed instanceof JsonObject request)) {
            return Optional.of(
                    error(new JsonNull(), INVALID_REQUEST, "a message is a JSON object; batches are refused"));
        }
        Optional<JsonValue> id =
                request.find("id").filter(one -> one instanceof JsonString || one instanceof JsonNumber);
        if (!(request.find("method").orElse(new JsonNull()) instanceof JsonString(String method))) {
            // Neither a request nor a notification: the reply to a request that this server never sent.
            return request.find("result").or(() -> request.find("error")).isPresent()
                    ? Optional.empty()
                    : Optional.of(error(id.orElse(new JsonNull()), INVALID_REQUEST, "'method' is missing"));
        }
        return id.map(one -> reply(one, method, parameters(request)));
    }

    /// Returns the reply to a line that is longer than a message may be.
    public String refuseLong(int mostBytes) {
        return error(new JsonNull(), INVALID_REQUEST, "the message has more than " + mostBytes + " bytes");
    }

    private static JsonObject parameters(JsonObject request) {
        return request.find("params").orElse(new JsonNull()) instanceof JsonObject object
                ? object
                : JsonObject.builder().build();
    }

    private String reply(JsonValue id, String method, JsonObject parameters) {
        return switch (method) {
            case "initialize" -> result(id, initialize(parameters));
            case "ping" -> result(id, JsonObject.builder().build());
            case "tools/list" -> result(id, tools.list());
            case "tools/call" -> call(id, parameters);
            default -> error(id, METHOD_NOT_FOUND, "the method '" + method + "' is unknown");
        };
    }

    private String call(JsonValue id, JsonObject parameters) {
        String name = parameters.find("name").orElse(new JsonNull()) instanceof JsonString(String text) ? text : "";
        JsonObject arguments = parameters.find("arguments").orElse(new JsonNull()) instanceof JsonObject object
                ? object
                : JsonObject.builder().build();
        return tools.call(name, arguments)
                .map(answer -> result(id, answer))
                .orElseGet(() -> error(id, INVALID_PARAMS, "the tool '" + name + "' is unknown"));
    }

    private JsonObject initialize(JsonObject parameters) {
        String wanted = parameters.find("protocolVersion").orElse(new JsonNull()) instanceof JsonString(String text)
                ? text
                : "";
        return JsonObject.builder()
                .put("protocolVersion", REVISIONS.contains(wanted) ? wanted : REVISIONS.getFirst())
                .put(
                        "capabilities",
                        JsonObject.builder()
                                .put("tools", JsonObject.builder().build())
                                .build())
                .put(
                        "serverInfo",
                        JsonObject.builder()
                                .put("name", "muster")
                                .put("title", "Muster")
                                .put("version", version)
                                .build())
                .put(
                        "instructions",
                        "Finds the AI accelerators of this machine and plans how models are served and trained on them, or"
                                + " on a hypothetical machine. Figures are predictions with an interval from p10 to p90.")
                .build();
    }

    private static String result(JsonValue id, JsonObject result) {
        return JsonObject.builder()
                .put("jsonrpc", "2.0")
                .put("id", id)
                .put("result", result)
                .build()
                .toText();
    }

    private static String error(JsonValue id, int code, String message) {
        return JsonObject.builder()
                .put("jsonrpc", "2.0")
                .put("id", id)
                .put(
                        "error",
                        JsonObject.builder()
                                .put("code", (long) code)
                                .put("message", message)
                                .build())
                .build()
                .toText();
    }

    @Override
    public void close() {
        tools.close();
    }
}
