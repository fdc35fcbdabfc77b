package dev.muster.plan.checkpoint;

import static dev.muster.plan.checkpoint.CheckpointException.Code.DUPLICATE;
import static dev.muster.plan.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.plan.checkpoint.CheckpointException.Code.TOO_LARGE;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/// Reads the keys and values of a GGUF header and keeps the few that describe the model. Vocabularies and templates are
/// jumped over. Confined to one thread.
final class GgufMetadataReader {
    /// The longest text that is kept.
    private static final int KEPT_TEXT_BYTES = 1 << 16;

    private final GgufInput input;
    private final Set<Long> names = new HashSet<>();
    private final Map<String, GgufValue> kept = new HashMap<>();

    private GgufMetadataReader(GgufInput input) {
        this.input = input;
    }

    /// The fewest bytes of a key with its value: a length, one letter, a type and one byte.
    static int entryBytes(GgufInput input) {
        return input.countBytes() + 1 + Integer.BYTES + 1;
    }

    static GgufMetadata read(GgufInput input, long entries) {
        GgufMetadataReader reader = new GgufMetadataReader(input);
        for (long entry = 0; entry < entries; entry++) {
            reader.readEntry();
        }
        return new GgufMetadata(reader.kept);
    }

    private void readEntry() {
        byte[] name = input.readName();
        if (name.length == 0) {
            throw input.error(MALFORMED, "a key is empty");
        }
        if (!names.add(NameHash.of(name))) {
            throw input.error(DUPLICATE, "the key '" + new String(name, StandardCharsets.UTF_8) + "' is there twice");
        }
        String key = GgufKey.kept(name);
        GgufValueType type = input.readValueType();
        if (key == null) {
            skip(type, 0);
        } else {
            kept.put(key, readValue(type));
        }
    }

    private GgufValue readValue(GgufValueType type) {
        return switch (type) {
            case UINT8, INT8, UINT16, INT16, UINT32, INT32, UINT64, INT64 ->
                new GgufValue.Whole(type, input.readWhole(type));
            case STRING -> readText();
            case ARRAY -> readSeries();
            case FLOAT32, FLOAT64, BOOL -> {
                skip(type, 0);
                yield GgufValue.OTHER;
            }
        };
    }

    private GgufValue readText() {
        long length = input.readCount();
        if (length > KEPT_TEXT_BYTES) {
            input.skip(length);
            return GgufValue.OTHER;
        }
        input.requireHeader(length);
        return new GgufValue.Text(new String(input.file().readBytes((int) length), StandardCharsets.UTF_8));
    }

    private GgufValue readSeries() {
        GgufValueType type = input.readValueType();
        long length = input.readCount(elementBytes(type));
        if (!type.isWhole()) {
            skipElements(type, length, 1);
            return new GgufValue.Series(length, OptionalLong.empty());
        }
        input.requireHeader(length * type.bytes());
        return new GgufValue.Series(length, readCommon(type, length));
    }

    private OptionalLong readCommon(GgufValueType type, long length) {
        if (length == 0) {
            return OptionalLong.empty();
        }
        long first = input.readWhole(type);
        boolean same = true;
        for (long at = 1; at < length; at++) {
            same &= input.readWhole(type) == first;
        }
        return same ? OptionalLong.of(first) : OptionalLong.empty();
    }

    private void skip(GgufValueType type, int depth) {
        switch (type) {
            case BOOL -> input.checkBool();
            case STRING -> input.skip(input.readCount());
            case ARRAY -> skipArray(depth + 1);
            case UINT8, INT8, UINT16, INT16, UINT32, INT32, UINT64, INT64, FLOAT32, FLOAT64 -> input.skip(type.bytes());
        }
    }

    private void skipArray(int depth) {
        if (depth > CheckpointReader.Limits.DEPTH) {
            throw input.error(TOO_LARGE, "arrays are nested more than " + CheckpointReader.Limits.DEPTH + " deep");
        }
        GgufValueType type = input.readValueType();
        skipElements(type, input.readCount(elementBytes(type)), depth);
    }

    private void skipElements(GgufValueType type, long length, int depth) {
        if (type.bytes() > 0) {
            input.skip(length * type.bytes());
            return;
        }
        for (long at = 0; at < length; at++) {
            skip(type, depth);
        }
    }

    /// The fewest bytes of an array's element.
    private int elementBytes(GgufValueType type) {
        return switch (type) {
            case STRING -> input.countBytes();
            case ARRAY -> Integer.BYTES + input.countBytes();
            case UINT8, INT8, UINT16, INT16, UINT32, INT32, UINT64, INT64, FLOAT32, FLOAT64, BOOL -> type.bytes();
        };
    }
}
