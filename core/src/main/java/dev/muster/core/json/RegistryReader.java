// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.NEWER_SCHEMA;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_VALUE;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.Provenance;
import dev.muster.core.TopologyGraph;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Reads registries in Muster's own form. Keys may stand in any order, and unknown ones are read over: later releases
/// add keys.
final class RegistryReader {
    private final JsonReader json;
    private final List<Provenance> sources = new ArrayList<>();

    RegistryReader(JsonReader json) {
        this.json = json;
    }

    AcceleratorRegistry read() {
        OwnFieldReader root = new OwnFieldReader(json, sources);
        json.requireEnd();
        checkSchema(root);
        try {
            return read(root);
        } catch (IllegalArgumentException e) {
            // Values check themselves: a blank id, a link that ends at no node.
            throw json.error(WRONG_VALUE, String.valueOf(e.getMessage()));
        }
    }

    private AcceleratorRegistry read(OwnFieldReader root) {
        sources.addAll(root.list("sources", this::readSource));
        SystemReader system = new SystemReader(json, sources);
        DeviceReader devices = new DeviceReader(json, sources);
        return new AcceleratorRegistry(
                root.count("referenceSchema", AcceleratorType.MAX_COUNT, AcceleratorRegistry.REFERENCE_SCHEMA),
                root.at("devices", () -> json.nextDevices(devices::read)),
                root.list("gaps", system::readGap),
                system.readSystemIo(root),
                root.at("topology", system::readTopology, TopologyGraph.EMPTY),
                root.reading("observedAt", this::readTime));
    }

    private void checkSchema(OwnFieldReader root) {
        long schema = root.count("schema", Integer.MAX_VALUE, 0);
        if (schema > RegistryDocument.SCHEMA) {
            throw json.error(
                    NEWER_SCHEMA,
                    "the document has schema " + schema + ", this Muster reads up to " + RegistryDocument.SCHEMA
                            + "; update Muster");
        }
        if (schema < 1 || !root.text("kind", RegistryDocument.KIND).equals(RegistryDocument.KIND)) {
            throw json.error(WRONG_VALUE, "this is not a registry document of Muster");
        }
    }

    private Provenance readSource() {
        FieldReader source = new FieldReader(json);
        Provenance provenance = Provenance.of(
                source.text("source"),
                source.name("method", Names.METHODS),
                source.name("confidence", Names.CONFIDENCES));
        return source.has("observedAt")
                ? provenance.withObservedAt(source.at("observedAt", this::readTime))
                : provenance;
    }

    private Instant readTime() {
        return readTime(json);
    }

    static Instant readTime(JsonReader json) {
        String text = json.nextString();
        try {
            return Instant.parse(text);
        } catch (DateTimeException _) {
            throw json.error(WRONG_VALUE, "a time is written as 2026-11-15T08:30:00Z");
        }
    }
}
