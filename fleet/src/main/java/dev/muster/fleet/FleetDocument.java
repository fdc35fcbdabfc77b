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
import dev.muster.fleet.json.DocumentItems;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Fleets as JSON documents, a host a line: both ways hold one host at a time beside the fleet. Thread-safe:
/// nothing is kept between calls. The form is described by `docs/schema/fleet.schema.json`.
///
/// @since 0.2
public final class FleetDocument {
    /// The schema number.
    public static final int SCHEMA = 1;
    /// The largest document that is read, in bytes; 100,000 devices have some 60 MB.
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
        out.append("],\n\"hosts\":[");
        before = "\n";
        for (FleetHost host : fleet.hosts()) {
            String text = HostText.of(host).toText();
            out.append(before).append(text, 0, text.length() - 1);
            out.append(",\"registry\":")
                    .append(RegistryDocument.write(host.registry()))
                    .append('}');
            before = ",\n";
        }
        out.append("\n]}\n");
    }

    private static JsonObject sourceText(SourceState source) {
        JsonObject.Builder json = JsonObject.builder()
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
    /// @throws DocumentException if the text is no fleet document
    /// @throws IOException if the stream fails
    public static Fleet read(InputStream stream) throws IOException {
        Reader reader = new Reader();
        DocumentItems.read(stream, MAX_BYTES, RegistryDocument.MAX_BYTES, reader);
        return reader.fleet();
    }

    private static final class Reader implements DocumentItems.Visitor {
        private final List<FleetHost> hosts = new ArrayList<>();
        private final List<SourceState> sources = new ArrayList<>();
        private String kind = "";
        private String schema = "";

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
            if (name.equals("hosts")) {
                limit(hosts, HostList.MAX_HOSTS, name);
                hosts.add(HostText.read(utf8));
            } else if (name.equals("sources")) {
                limit(sources, MAX_SOURCES, name);
                sources.add(readSource(JsonValue.parse(utf8)));
            }
        }

        private static void limit(List<?> list, int most, String name) {
            if (list.size() >= most) {
                throw DocumentException.of(DocumentException.Code.TOO_LARGE, "a fleet has up to " + most + " " + name);
            }
        }

        Fleet fleet() {
            if (!kind.equals(KIND)) {
                throw DocumentException.of(
                        DocumentException.Code.WRONG_VALUE,
                        "this is no fleet document; make one with 'muster fleet list -o json'");
            }
            if (!schema.equals(Integer.toString(SCHEMA))) {
                throw DocumentException.of(
                        DocumentException.Code.NEWER_SCHEMA,
                        "the document has schema " + schema + ", this Muster reads " + SCHEMA + "; update Muster");
            }
            return new Fleet(hosts, sources);
        }
    }

    private static SourceState readSource(JsonValue json) {
        String failure = HostText.text(json, "failure", "");
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
            throw DocumentException.of(DocumentException.Code.WRONG_VALUE, "a time is written as 2026-11-15T08:30:00Z");
        }
    }
}
