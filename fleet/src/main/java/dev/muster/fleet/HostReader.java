// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_VALUE;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceId;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.json.RegistryDocument;
import dev.muster.fleet.FleetHost.Contradiction;
import dev.muster.fleet.FleetHost.Statement;
import dev.muster.fleet.json.JsonFields;
import dev.muster.fleet.json.JsonItems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads the hosts of a fleet document, which [HostText] writes. Neighbours have much in common: what reads as it did
/// in the host before is that host's value, neither read nor kept again. Confined to one thread.
final class HostReader implements JsonItems.Visitor {
    private final List<AcceleratorRegistry> registries;
    private final Map<String, CachedMember<?>> last = new HashMap<>();
    private final Map<String, Object> values = new HashMap<>();
    private byte @Nullable [] registry;
    private byte @Nullable [] changes;

    /// A member of the last host that had it.
    private record CachedMember<T>(ByteBuffer text, T value) {}

    /// @param registries those that hosts name by number; complete before the first host is read
    HostReader(List<AcceleratorRegistry> registries) {
        this.registries = registries;
    }

    FleetHost read(byte[] utf8) {
        values.clear();
        registry = null;
        changes = null;
        try {
            JsonItems.of(utf8).readObject(this, Set.of());
            return host();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalArgumentException e) {
            throw DocumentException.of(WRONG_VALUE, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void item(String list, byte[] utf8) {
        throw new IllegalStateException("no list is opened");
    }

    @Override
    public void member(String key, byte[] utf8) {
        switch (key) {
            case "registry" -> registry = utf8;
            case "changes" -> changes = utf8;
            case "name" -> values.put(key, JsonFields.plain(JsonValue.parse(utf8)));
            case "state" -> take(key, utf8, HostReader::state);
            case "labels" -> take(key, utf8, HostReader::labels);
            case "claims" -> take(key, utf8, list(HostReader::claim));
            case "domains" -> take(key, utf8, list(HostReader::domain));
            case "restrictions" -> take(key, utf8, list(HostReader::restriction));
            case "sources" -> take(key, utf8, list(JsonFields::plain));
            case "conflicts" -> take(key, utf8, list(HostReader::conflict));
            default -> {
                // Later releases add keys.
            }
        }
    }

    private void take(String key, byte[] utf8, Function<JsonValue, ?> read) {
        ByteBuffer text = ByteBuffer.wrap(utf8);
        CachedMember<?> before = last.get(key);
        if (before == null || !before.text.equals(text)) {
            before = new CachedMember<>(text, read.apply(JsonValue.parse(utf8)));
            last.put(key, before);
        }
        values.put(key, before.value);
    }

    private static <T> Function<JsonValue, List<T>> list(Function<JsonValue, T> item) {
        return json -> {
            if (!(json instanceof JsonArray(List<JsonValue> items))) {
                throw new IllegalArgumentException("a host has lists of claims, domains, restrictions and sources");
            }
            return items.stream().map(item).toList();
        };
    }

    @SuppressWarnings("unchecked") // each key has one type of value, see member
    private <T> T value(String key, T otherwise) {
        return (T) values.getOrDefault(key, otherwise);
    }

    private FleetHost host() {
        String name = value("name", "");
        if (name.isBlank() || registry == null) {
            throw new IllegalArgumentException("a host of a fleet document has a name and a registry");
        }
        return new FleetHost(
                name,
                readRegistry(registry),
                value("state", HostState.UNKNOWN),
                value("claims", List.of()),
                value("domains", List.of()),
                value("restrictions", List.of()),
                value("labels", Map.of()),
                value("sources", List.of()),
                value("conflicts", List.of()));
    }

    private AcceleratorRegistry readRegistry(byte[] utf8) {
        if (utf8[0] == '{') {
            return RegistryDocument.read(utf8);
        }
        int number = JsonValue.parse(utf8) instanceof JsonNumber of ? whole(of) : -1;
        if (number < 0 || number >= registries.size()) {
            throw new IllegalArgumentException(
                    "a host names a registry by its number, below " + registries.size() + " here");
        }
        AcceleratorRegistry base = registries.get(number);
        return changes == null ? base : RegistryDocument.readChanges(base, changes);
    }

    private static HostState state(JsonValue json) {
        return new HostState(
                named(HostState.HostStateKind.values(), HostState.HostStateKind::text, json.requireText("kind")),
                JsonFields.text(json, "text"),
                JsonFields.text(json, "reason"));
    }

    private static Map<String, String> labels(JsonValue json) {
        Map<String, String> labels = new LinkedHashMap<>();
        if (json instanceof JsonObject(Map<String, JsonValue> members)) {
            members.forEach((label, value) ->
                    labels.put(label, value instanceof JsonString(String text) ? text : value.toText()));
        }
        return labels;
    }

    private static Claim claim(JsonValue json) {
        List<DeviceId> devices = JsonFields.items(json, "devices").stream()
                .map(id -> new DeviceId(JsonFields.plain(id)))
                .toList();
        if (!(json.require("count") instanceof JsonNumber count)) {
            throw new IllegalArgumentException("a claim has a count");
        }
        return new Claim(json.requireText("holder"), JsonFields.text(json, "user"), whole(count), devices);
    }

    private static int whole(JsonNumber number) {
        if (!number.isWhole()) {
            throw new IllegalArgumentException(number.toText() + " is not an integer");
        }
        try {
            return number.toDecimal().intValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(number.toText() + " is too large", e);
        }
    }

    private static Domain domain(JsonValue json) {
        return new Domain(
                named(Domain.DomainKind.values(), Domain.DomainKind::text, json.requireText("kind")),
                json.requireText("name"));
    }

    private static Restriction restriction(JsonValue json) {
        return new Restriction(
                named(
                        Restriction.RestrictionKind.values(),
                        Restriction.RestrictionKind::text,
                        json.requireText("kind")),
                json.requireText("name"),
                JsonFields.text(json, "detail"));
    }

    private static Contradiction conflict(JsonValue json) {
        List<Statement> statements = new ArrayList<>();
        for (JsonValue one : json.requireItems("statements")) {
            statements.add(new Statement(one.requireText("source"), one.requireText("value")));
        }
        return new Contradiction(json.requireText("what"), statements);
    }

    private static <E extends Enum<E>> E named(E[] values, Function<E, String> text, String wanted) {
        return Arrays.stream(values)
                .filter(value -> text.apply(value).equals(wanted))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + wanted + "' is not one of "
                        + String.join(", ", Arrays.stream(values).map(text).toList())));
    }
}
