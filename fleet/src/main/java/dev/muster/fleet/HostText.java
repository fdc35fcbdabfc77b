// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.fleet.FleetHost.Contradiction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Writes a host of a fleet document; [HostReader] reads it.
final class HostText {
    private HostText() {}

    /// The host without its registry. Lists without items are left out.
    static JsonObject of(FleetHost host) {
        JsonObject.ObjectBuilder json = JsonObject.builder().put("name", host.name());
        if (!host.state().equals(HostState.UNKNOWN)) {
            json.put(
                    "state",
                    JsonObject.builder()
                            .put("kind", host.state().kind().text())
                            .put("text", host.state().text())
                            .put("reason", host.state().reason())
                            .build());
        }
        put(json, "claims", host.claims(), HostText::claim);
        put(
                json,
                "domains",
                host.domains(),
                domain -> JsonObject.builder()
                        .put("kind", domain.kind().text())
                        .put("name", domain.name())
                        .build());
        put(
                json,
                "restrictions",
                host.restrictions(),
                one -> JsonObject.builder()
                        .put("kind", one.kind().text())
                        .put("name", one.name())
                        .put("detail", one.detail())
                        .build());
        if (!host.labels().isEmpty()) {
            Map<String, JsonValue> labels = new LinkedHashMap<>();
            host.labels().entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(label -> labels.put(label.getKey(), new JsonString(label.getValue())));
            json.put("labels", new JsonObject(labels));
        }
        put(json, "sources", host.sources(), JsonString::new);
        put(json, "conflicts", host.conflicts(), HostText::conflict);
        return json.build();
    }

    private static <T> void put(
            JsonObject.ObjectBuilder json, String name, List<T> things, Function<? super T, ? extends JsonValue> item) {
        if (!things.isEmpty()) {
            json.put(name, things, item);
        }
    }

    private static JsonValue claim(Claim claim) {
        JsonObject.ObjectBuilder json = JsonObject.builder()
                .put("holder", claim.holder())
                .put("user", claim.user())
                .put("count", claim.count());
        put(json, "devices", claim.devices(), id -> new JsonString(id.text()));
        return json.build();
    }

    private static JsonValue conflict(Contradiction conflict) {
        return JsonObject.builder()
                .put("what", conflict.what())
                .put(
                        "statements",
                        conflict.statements(),
                        statement -> JsonObject.builder()
                                .put("source", statement.source())
                                .put("value", statement.value())
                                .build())
                .build();
    }
}
