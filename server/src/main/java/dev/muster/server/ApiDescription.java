// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The description of routes as a document of OpenAPI 3.1. Schemas of answers are those of `docs/schema`.
final class ApiDescription {
    private static final String ERROR = "error";

    private ApiDescription() {}

    static JsonValue of(List<Route> routes) {
        Map<String, JsonObject.ObjectBuilder> paths = new TreeMap<>();
        Set<String> kinds = new TreeSet<>();
        for (Route route : routes) {
            paths.computeIfAbsent(route.path(), _ -> JsonObject.builder())
                    .put(route.method().toLowerCase(Locale.ROOT), operation(route));
            route.operation().replies().forEach(reply -> kinds.addAll(reply.kinds()));
        }
        JsonObject.ObjectBuilder described = JsonObject.builder();
        paths.forEach((path, methods) -> described.put(path, methods.build()));
        return JsonObject.builder()
                .put("openapi", "3.1.0")
                .put(
                        "info",
                        JsonObject.builder()
                                .put("title", "Muster")
                                .put("version", "1")
                                .put(
                                        "description",
                                        "The accelerators of a host. Documents are those that the commands of the same"
                                                + " name print with --json. Requests never cause a sample: answers come"
                                                + " from the newest one.")
                                .build())
                .put("servers", List.of(JsonObject.builder().put("url", "/").build()))
                .put("security", List.of(secret("token"), secret("cookie")))
                .put("paths", described.build())
                .put("components", components(kinds))
                .build();
    }

    private static JsonObject secret(String name) {
        return JsonObject.builder().put(name, List.of()).build();
    }

    private static JsonObject operation(Route route) {
        Operation operation = route.operation();
        JsonObject.ObjectBuilder described =
                JsonObject.builder().put("operationId", operation.id()).put("summary", operation.summary());
        if (route.guard() == Route.Guard.OPEN) {
            described.put("security", List.of());
        }
        if (!operation.parameters().isEmpty()) {
            described.put("parameters", operation.parameters(), one -> parameter(one, route.path()));
        }
        operation
                .body()
                .ifPresent(schema -> described.put(
                        "requestBody",
                        JsonObject.builder()
                                .put("required", true)
                                .put("content", content("application/json", Optional.of(schema)))
                                .build()));
        JsonObject.ObjectBuilder replies = JsonObject.builder();
        operation.replies().forEach(reply -> replies.put(String.valueOf(reply.status()), reply(reply)));
        return described.put("responses", replies.build()).build();
    }

    private static JsonObject parameter(Operation.Parameter parameter, String path) {
        boolean isPart = path.contains("{" + parameter.name() + "}");
        return JsonObject.builder()
                .put("name", parameter.name())
                .put("in", isPart ? "path" : "query")
                .put("required", isPart)
                .put("description", parameter.description())
                .put("schema", parameter.schema())
                .build();
    }

    private static JsonObject reply(Operation.Reply reply) {
        if (reply.kinds().equals(List.of(ERROR))) {
            return reference("responses/Error");
        }
        JsonObject.ObjectBuilder described = JsonObject.builder().put("description", reply.description());
        if (!reply.mediaType().isEmpty()) {
            described.put("content", content(reply.mediaType(), schema(reply.kinds())));
        }
        return described.build();
    }

    private static Optional<JsonObject> schema(List<String> kinds) {
        return switch (kinds.size()) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(reference("schemas/" + kinds.getFirst()));
            default ->
                Optional.of(JsonObject.builder()
                        .put("oneOf", kinds, kind -> reference("schemas/" + kind))
                        .build());
        };
    }

    private static JsonObject content(String mediaType, Optional<JsonObject> schema) {
        JsonObject.ObjectBuilder media = JsonObject.builder();
        schema.ifPresent(one -> media.put("schema", one));
        return JsonObject.builder().put(mediaType, media.build()).build();
    }

    private static JsonObject reference(String component) {
        return JsonObject.builder().put("$ref", "#/components/" + component).build();
    }

    private static JsonObject components(Set<String> kinds) {
        JsonObject.ObjectBuilder schemas = JsonObject.builder();
        kinds.forEach(kind -> schemas.put(kind, embedded(read(kind), "#/components/schemas/" + kind)));
        return JsonObject.builder()
                .put(
                        "securitySchemes",
                        JsonObject.builder()
                                .put(
                                        "token",
                                        JsonObject.builder()
                                                .put("type", "http")
                                                .put("scheme", "bearer")
                                                .build())
                                .put(
                                        "cookie",
                                        JsonObject.builder()
                                                .put("type", "apiKey")
                                                .put("in", "cookie")
                                                .put("name", "muster-PORT")
                                                .build())
                                .build())
                .put(
                        "responses",
                        JsonObject.builder()
                                .put(
                                        "Error",
                                        JsonObject.builder()
                                                .put("description", "The refused request, with a code and a sentence")
                                                .put(
                                                        "content",
                                                        content(
                                                                "application/json",
                                                                Optional.of(reference("schemas/" + ERROR))))
                                                .build())
                                .build())
                .put("schemas", schemas.build())
                .build();
    }

    /// Returns a schema as a part of this document: it has no address of its own, and refers to its parts from here.
    private static JsonValue embedded(JsonValue schema, String place) {
        return switch (schema) {
            case JsonObject(Map<String, JsonValue> members) -> {
                JsonObject.ObjectBuilder copy = JsonObject.builder();
                members.forEach((name, value) -> {
                    if (name.equals("$ref") && value instanceof JsonString(String target)) {
                        copy.put(name, target.startsWith("#/") ? place + target.substring(1) : target);
                    } else if (!name.equals("$id") && !name.equals("$schema")) {
                        copy.put(name, embedded(value, place));
                    }
                });
                yield copy.build();
            }
            case JsonArray(List<JsonValue> items) ->
                new JsonArray(items.stream().map(item -> embedded(item, place)).toList());
            case JsonString _, JsonNumber _, JsonBoolean _, JsonNull _ -> schema;
        };
    }

    private static JsonValue read(String kind) {
        try (InputStream stream = ApiDescription.class.getResourceAsStream("schema/" + kind + ".schema.json")) {
            if (stream == null) {
                throw new IllegalStateException("docs/schema has no " + kind + ".schema.json");
            }
            return JsonValue.parse(stream.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
