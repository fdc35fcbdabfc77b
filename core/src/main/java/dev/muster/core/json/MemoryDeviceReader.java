package dev.muster.core.json;

import dev.muster.core.MemoryDevice;
import dev.muster.core.Provenance;
import dev.muster.core.unit.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads memory devices in Muster's own form.
final class MemoryDeviceReader {
    private static final JsonKeys KEYS =
            JsonKeys.of("kind", "name", "sizeBytes", "numaNode", "kernelDriver", "provenance", "unknown");

    private final JsonReader json;
    private final List<Provenance> sources;

    MemoryDeviceReader(JsonReader json, List<Provenance> sources) {
        this.json = json;
        this.sources = sources;
    }

    MemoryDevice read() {
        JsonStruct struct = JsonStruct.lenient(json, KEYS);
        FactReader facts = new FactReader(json, sources);
        MemoryDevice.Kind kind = MemoryDevice.Kind.DAX;
        String name = "";
        @Nullable Bytes size = null;
        @Nullable Long numaNode = null;
        @Nullable String driver = null;
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> kind = Names.MEMORY_DEVICES.read(json);
                case 1 -> name = json.nextString();
                case 2 -> size = new Bytes(json.nextUnsigned());
                case 3 -> numaNode = json.nextUnsigned(Long.MAX_VALUE);
                case 4 -> driver = json.nextString();
                case 5 -> facts.readProvenance();
                case 6 -> facts.readUnknown();
                default -> throw new AssertionError(field);
            }
        }
        struct.require(0b11);
        return new MemoryDevice(
                kind,
                name,
                facts.reading("sizeBytes", size),
                facts.reading("numaNode", numaNode),
                facts.reading("kernelDriver", driver));
    }
}
