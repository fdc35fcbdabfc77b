// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.SystemIo;
import dev.muster.core.TopologyGraph;
import dev.muster.core.UnknownReason;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.json.RegistryDocument;
import dev.muster.core.text.HostList;
import dev.muster.fleet.Fleet.SourceState;
import dev.muster.fleet.json.JsonFields;
import dev.muster.fleet.json.JsonItems;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Fleets as JSON documents, a host a line: both ways hold one host at a time beside the fleet. Hosts of one kind
/// share a registry in the text, from which each says how it differs: 100,000 devices have some 15 MB instead of
/// 115. Thread-safe: nothing is kept between calls. The form is described by `docs/schema/fleet.schema.json`.
///
/// @since 0.2
public final class FleetDocument {
    /// The schema number.
    public static final int SCHEMA = 1;
    /// The largest document that is read, in bytes.
    public static final long MAX_BYTES = 4L << 30;

    private static final String KIND = "fleet";
    private static final int MAX_SOURCES = 10_000;

    private FleetDocument() {}

    /// Writes a fleet.
    ///
    /// @throws IOException if it cannot be written
    public static void write(Fleet fleet, Appendable out) throws IOException {
        out.append("{\"schema\":" + SCHEMA + ",\"kind\":\"" + KIND + "\",\n\"sources\":[");
        String before = "\n";
        for (SourceState source : fleet.sources()) {
            out.append(before).append(sourceText(source).toText());
            before = ",\n";
        }
        SharedRegistries shared = SharedRegistries.of(fleet);
        out.append("],\n\"registries\":[");
        before = "\n";
        for (AcceleratorRegistry registry : shared.registries()) {
            out.append(before).append(RegistryDocument.write(registry));
            before = ",\n";
        }
        out.append("],\n\"hosts\":[");
        before = "\n";
        for (int i = 0; i < fleet.hosts().size(); i++) {
            String text = HostText.of(fleet.hosts().get(i)).toText();
            out.append(before).append(text, 0, text.length() - 1);
            out.append(",\"registry\":").append(Integer.toString(shared.number(i)));
            String changes = shared.changes(i);
            if (!changes.isEmpty()) {
                out.append(",\"changes\":").append(changes);
            }
            out.append('}');
            before = ",\n";
        }
        out.append("\n]}\n");
    }

    private static JsonObject sourceText(SourceState source) {
        JsonObject.ObjectBuilder json = JsonObject.builder()
                .put("source", source.source())
                .put("observedAt", source.observedAt().find(), time -> new JsonString(time.toString()));
        if (!source.failure().isBlank()) {
            json.put("failure", source.failure());
        }
        if (!source.gaps().isEmpty()) {
            // The form of a registry's gaps, whose facts name their sources by number.
            JsonValue registry = JsonValue.parse(RegistryDocument.write(new AcceleratorRegistry(
                    AcceleratorRegistry.REFERENCE_SCHEMA,
                    List.of(),
                    source.gaps(),
                    SystemIo.EMPTY,
                    TopologyGraph.EMPTY,
                    Reading.notProbed())));
            json.put("gaps", registry.require("gaps")).put("sources", registry.require("sources"));
        }
        return json.build();
    }

    /// Reads a fleet; the stream is not closed.
    ///
    /// @throws DocumentException if the text is not a fleet document
    /// @throws IOException if the stream fails
    public static Fleet read(InputStream stream) throws IOException {
        return new Reader().read(stream);
    }

    /// Reads fleets that belong together, such as one before and after: the registries that they have in the same
    /// words are one, which makes them quick to compare. Confined to one thread.
    ///
    /// @since 0.2
    public static final class Reader {
        private final Map<ByteBuffer, AcceleratorRegistry> known = new HashMap<>();

        /// A reader that has read nothing yet.
        public Reader() {}

        /// Reads a fleet; the stream is not closed.
        ///
        /// @throws DocumentException if the text is not a fleet document
        /// @throws IOException if the stream fails
        public Fleet read(InputStream stream) throws IOException {
            Content content = new Content(known);
            new JsonItems(stream, MAX_BYTES, RegistryDocument.MAX_BYTES)
                    .readObject(content, Set.of("hosts", "sources", "registries"));
            return content.fleet();
        }
    }

    private static final class Content implements JsonItems.Visitor {
        private final Map<ByteBuffer, AcceleratorRegistry> known;
        private final List<AcceleratorRegistry> registries = new ArrayList<>();
        private final List<FleetHost> hosts = new ArrayList<>();
        private final HostReader hostReader = new HostReader(registries);
        /// Hosts that stand before the registries that they name, as where a tool sorted the keys.
        private final List<byte[]> early = new ArrayList<>();

        private final List<SourceState> sources = new ArrayList<>();
        private String kind = "";
        private String schema = "";

        Content(Map<ByteBuffer, AcceleratorRegistry> known) {
            this.known = known;
        }

        @Override
        public void member(String name, byte[] utf8) {
            if (name.equals("kind")) {
                kind = JsonValue.parse(utf8) instanceof JsonString(String text) ? text : "";
            } else if (name.equals("schema")) {
                schema = new String(utf8, StandardCharsets.UTF_8);
            }
        }

        @Override
        public void item(String name, byte[] utf8) {
            switch (name) {
                case "registries" -> {
                    limit(registries, HostList.MAX_HOSTS, name);
                    registries.add(known.computeIfAbsent(ByteBuffer.wrap(utf8), _ -> RegistryDocument.read(utf8)));
                }
                case "hosts" -> {
                    limit(hosts, HostList.MAX_HOSTS - early.size(), name);
                    if (registries.isEmpty()) {
                        early.add(utf8);
                    } else {
                        hosts.add(hostReader.read(utf8));
                    }
                }
                default -> {
                    limit(sources, MAX_SOURCES, name);
                    sources.add(readSource(JsonValue.parse(utf8)));
                }
            }
        }

        private static void limit(List<?> list, int most, String name) {
            if (list.size() >= most) {
                throw DocumentException.of(
                        DocumentException.DocumentErrorCode.TOO_LARGE, "a fleet has up to " + most + " " + name);
            }
        }

        Fleet fleet() {
            if (!kind.equals(KIND)) {
                throw DocumentException.of(
                        DocumentException.DocumentErrorCode.WRONG_VALUE,
                        "this is not a fleet document; make one with 'muster fleet list -o json'");
            }
            if (!schema.equals(Integer.toString(SCHEMA))) {
                throw DocumentException.of(
                        DocumentException.DocumentErrorCode.NEWER_SCHEMA,
                        "the document has schema " + schema + ", this Muster reads " + SCHEMA + "; update Muster");
            }
            early.forEach(host -> hosts.add(hostReader.read(host)));
            return new Fleet(hosts, sources);
        }
    }

    private static SourceState readSource(JsonValue json) {
        String failure = JsonFields.text(json, "failure");
        Optional<JsonValue> seen = json.find("observedAt");
        Reading<Instant> time = seen.isPresent() && seen.get() instanceof JsonString(String text)
                ? Reading.known(time(text), Provenance.GIVEN)
                : Reading.unknown(UnknownReason.NOT_PROBED, failure);
        return new SourceState(json.requireText("source"), time, failure, readGaps(json));
    }

    private static List<Gap> readGaps(JsonValue json) {
        Optional<JsonValue> gaps = json.find("gaps");
        if (gaps.isEmpty()) {
            return List.of();
        }
        JsonObject registry = JsonObject.document("registry")
                .put("devices", List.of())
                .put("gaps", gaps.get())
                .put("sources", json.find("sources").orElse(new JsonArray(List.of())))
                .build();
        return RegistryDocument.read(registry.toText().getBytes(StandardCharsets.UTF_8))
                .gaps();
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException _) {
            throw DocumentException.of(
                    DocumentException.DocumentErrorCode.WRONG_VALUE, "a time is written as 2026-11-15T08:30:00Z");
        }
    }
}
