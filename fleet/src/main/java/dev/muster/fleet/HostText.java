package dev.muster.fleet;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceId;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.json.RegistryDocument;
import dev.muster.fleet.FleetHost.Conflict;
import dev.muster.fleet.FleetHost.Statement;
import dev.muster.fleet.json.DocumentItems;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One host of a fleet document.
final class HostText {
    private HostText() {}

    /// The host without its registry. Lists without items are left out.
    static JsonObject of(FleetHost host) {
        JsonObject.Builder json = JsonObject.builder().put("name", host.name());
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
            JsonObject.Builder json, String name, List<T> things, Function<? super T, ? extends JsonValue> item) {
        if (!things.isEmpty()) {
            json.put(name, things, item);
        }
    }

    private static JsonValue claim(Claim claim) {
        JsonObject.Builder json = JsonObject.builder()
                .put("holder", claim.holder())
                .put("user", claim.user())
                .put("count", claim.count());
        put(json, "devices", claim.devices(), id -> new JsonString(id.text()));
        return json.build();
    }

    private static JsonValue conflict(Conflict conflict) {
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

    static FleetHost read(byte[] utf8) {
        Reader reader = new Reader();
        try {
            DocumentItems.read(new ByteArrayInputStream(utf8), utf8.length, RegistryDocument.MAX_BYTES, reader);
            return reader.host();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalArgumentException e) {
            throw DocumentException.of(DocumentException.Code.WRONG_VALUE, String.valueOf(e.getMessage()));
        }
    }

    static String text(JsonValue json, String name, String otherwise) {
        return json.find(name).orElse(new JsonString(otherwise)) instanceof JsonString(String text) ? text : otherwise;
    }

    private static <E extends Enum<E>> E named(E[] values, Function<E, String> text, String wanted) {
        return Arrays.stream(values)
                .filter(value -> text.apply(value).equals(wanted))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + wanted + "' is not one of "
                        + String.join(", ", Arrays.stream(values).map(text).toList())));
    }

    private static final class Reader implements DocumentItems.Visitor {
        private final List<Claim> claims = new ArrayList<>();
        private final List<Domain> domains = new ArrayList<>();
        private final List<Restriction> restrictions = new ArrayList<>();
        private final Map<String, String> labels = new LinkedHashMap<>();
        private final List<String> sources = new ArrayList<>();
        private final List<Conflict> conflicts = new ArrayList<>();
        private HostState state = HostState.UNKNOWN;
        private String name = "";
        private @Nullable AcceleratorRegistry registry;

        @Override
        public void member(String key, byte[] utf8) {
            switch (key) {
                case "registry" -> registry = RegistryDocument.read(utf8);
                case "name" -> name = textOf(utf8);
                case "state" -> {
                    JsonValue json = JsonValue.parse(utf8);
                    state = new HostState(
                            named(HostState.Kind.values(), HostState.Kind::text, json.requireText("kind")),
                            text(json, "text", ""),
                            text(json, "reason", ""));
                }
                case "labels" -> {
                    if (JsonValue.parse(utf8) instanceof JsonObject(Map<String, JsonValue> members)) {
                        members.forEach((label, value) ->
                                labels.put(label, value instanceof JsonString(String text) ? text : value.toText()));
                    }
                }
                default -> {
                    // Later releases add keys.
                }
            }
        }

        private static String textOf(byte[] utf8) {
            return JsonValue.parse(utf8) instanceof JsonString(String text) ? text : "";
        }

        @Override
        public void item(String key, byte[] utf8) {
            switch (key) {
                case "claims" -> claims.add(readClaim(JsonValue.parse(utf8)));
                case "domains" -> {
                    JsonValue json = JsonValue.parse(utf8);
                    domains.add(new Domain(
                            named(Domain.Kind.values(), Domain.Kind::text, json.requireText("kind")),
                            json.requireText("name")));
                }
                case "restrictions" -> {
                    JsonValue json = JsonValue.parse(utf8);
                    restrictions.add(new Restriction(
                            named(Restriction.Kind.values(), Restriction.Kind::text, json.requireText("kind")),
                            json.requireText("name"),
                            text(json, "detail", "")));
                }
                case "sources" -> sources.add(textOf(utf8));
                case "conflicts" -> conflicts.add(readConflict(JsonValue.parse(utf8)));
                default -> {
                    // Later releases add keys.
                }
            }
        }

        private static Claim readClaim(JsonValue json) {
            List<DeviceId> devices = new ArrayList<>();
            if (json.find("devices").isPresent()) {
                for (JsonValue id : json.requireItems("devices")) {
                    devices.add(new DeviceId(id instanceof JsonString(String text) ? text : ""));
                }
            }
            JsonValue count = json.require("count");
            boolean whole = count instanceof JsonNumber number && number.isWhole();
            if (!whole) {
                throw new IllegalArgumentException("a claim has a count");
            }
            return new Claim(
                    json.requireText("holder"),
                    text(json, "user", ""),
                    ((JsonNumber) count).toDecimal().intValueExact(),
                    devices);
        }

        private static Conflict readConflict(JsonValue json) {
            List<Statement> statements = new ArrayList<>();
            for (JsonValue one : json.requireItems("statements")) {
                statements.add(new Statement(one.requireText("source"), one.requireText("value")));
            }
            return new Conflict(json.requireText("what"), statements);
        }

        FleetHost host() {
            if (name.isBlank() || registry == null) {
                throw new IllegalArgumentException("a host of a fleet document has a name and a registry");
            }
            return new FleetHost(name, registry, state, claims, domains, restrictions, labels, sources, conflicts);
        }
    }
}
