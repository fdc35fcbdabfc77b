package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.Code.MISSING_KEY;
import static dev.muster.core.json.DocumentException.Code.NEWER_SCHEMA;
import static dev.muster.core.json.DocumentException.Code.WRONG_VALUE;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import dev.muster.core.MemoryDevice;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.RuntimeEnvironment;
import dev.muster.core.StorageDevice;
import dev.muster.core.SystemIo;
import dev.muster.core.TopologyGraph;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Reads registries in Muster's own form. Keys may stand in any order, and unknown ones are read over: later releases
/// add keys.
final class RegistryReader {
    private static final JsonKeys ROOT = JsonKeys.of(
            "schema",
            "kind",
            "observedAt",
            "referenceSchema",
            "devices",
            "gaps",
            "interconnects",
            "storage",
            "environment",
            "topology",
            "provenance",
            "unknown",
            "sources",
            "memoryDevices");
    private static final JsonKeys SOURCE = JsonKeys.of("source", "method", "confidence", "observedAt");
    private static final int ABSENT = -1;

    private final JsonReader json;
    /// Where the value of each root key begins.
    private final int[] positions = new int[ROOT.size()];

    RegistryReader(JsonReader json) {
        this.json = json;
        Arrays.fill(positions, ABSENT);
    }

    AcceleratorRegistry read() {
        locate();
        checkSchema();
        List<Provenance> sources = at(12, this::readSources, List.of());
        DeviceReader devices = new DeviceReader(json, sources);
        SystemReader system = new SystemReader(json, sources);
        FactReader facts = new FactReader(json, sources);
        at(10, facts::readProvenance);
        at(11, facts::readUnknown);
        @Nullable Instant observedAt = positions[2] == ABSENT ? null : at(2, () -> readTime(json), Instant.EPOCH);
        @Nullable RuntimeEnvironment environment = null;
        if (positions[8] != ABSENT) {
            json.seek(positions[8]);
            environment = system.readEnvironment();
        }
        List<AcceleratorProfile> profiles = at(4, () -> readList(devices::readDevice), List.of());
        List<Gap> gaps = at(5, () -> readList(new GapReader(json, sources)::read), List.of());
        List<Interconnect> interconnects = at(6, () -> readList(system::readInterconnect), List.of());
        List<StorageDevice> storage = at(7, () -> readList(system::readStorage), List.of());
        MemoryDeviceReader memory = new MemoryDeviceReader(json, sources);
        List<MemoryDevice> memoryDevices = at(13, () -> readList(memory::read), List.of());
        TopologyGraph topology = at(9, system::readTopology, TopologyGraph.EMPTY);
        long schema = at(3, () -> json.nextUnsigned(AcceleratorType.MAX_COUNT), AcceleratorRegistry.REFERENCE_SCHEMA);
        Reading<RuntimeEnvironment> environmentReading = facts.reading("environment", environment);
        return new AcceleratorRegistry(
                schema,
                profiles,
                gaps,
                new SystemIo(interconnects, storage, memoryDevices, environmentReading),
                topology,
                facts.reading("observedAt", observedAt));
    }

    /// Goes once over the whole text, which proves it well formed, and notes where each part begins.
    private void locate() {
        JsonStruct root = JsonStruct.lenient(json, ROOT);
        for (int field = root.next(); field >= 0; field = root.next()) {
            positions[field] = json.position();
            json.skipValue();
        }
        json.requireEnd();
    }

    private void checkSchema() {
        long schema = at(0, () -> json.nextUnsigned(Integer.MAX_VALUE), 0L);
        if (schema > RegistryDocument.SCHEMA) {
            throw json.error(
                    NEWER_SCHEMA,
                    "the document has schema " + schema + ", this Muster reads up to " + RegistryDocument.SCHEMA
                            + "; update Muster");
        }
        String kind = at(1, json::nextString, RegistryDocument.KIND);
        if (schema < 1 || !kind.equals(RegistryDocument.KIND)) {
            throw json.error(WRONG_VALUE, "this is no registry document of Muster");
        }
        if (positions[4] == ABSENT) {
            throw json.error(MISSING_KEY, "the key 'devices' is missing");
        }
    }

    private List<Provenance> readSources() {
        return readList(this::readSource);
    }

    private Provenance readSource() {
        JsonStruct struct = JsonStruct.lenient(json, SOURCE);
        String source = "";
        Provenance.Method method = Provenance.Method.DOCUMENT;
        Provenance.Confidence confidence = Provenance.Confidence.STATED;
        @Nullable Instant observedAt = null;
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> source = json.nextString();
                case 1 -> method = Names.METHODS.read(json);
                case 2 -> confidence = Names.CONFIDENCES.read(json);
                case 3 -> observedAt = readTime(json);
                default -> throw new AssertionError(field);
            }
        }
        struct.require(0b111);
        if (source.isBlank()) {
            throw json.error(WRONG_VALUE, "a source has a name");
        }
        Provenance provenance = Provenance.of(source, method, confidence);
        return observedAt == null ? provenance : provenance.withObservedAt(observedAt);
    }

    private static Instant readTime(JsonReader json) {
        String text = json.nextString();
        try {
            return Instant.parse(text);
        } catch (DateTimeException _) {
            throw json.error(WRONG_VALUE, "a time is written as 2026-11-15T08:30:00Z");
        }
    }

    private <T> T at(int key, Supplier<T> read, T otherwise) {
        if (positions[key] == ABSENT) {
            return otherwise;
        }
        json.seek(positions[key]);
        return read.get();
    }

    private void at(int key, Runnable read) {
        if (positions[key] != ABSENT) {
            json.seek(positions[key]);
            read.run();
        }
    }

    private <T> List<T> readList(Supplier<T> item) {
        List<T> items = new ArrayList<>();
        json.beginArray();
        while (json.nextItem()) {
            items.add(item.get());
        }
        return items;
    }
}
