package dev.muster.plan.checkpoint;

import java.util.Optional;

/// The types of GGUF's values, in the order of their numbers.
enum GgufValueType {
    UINT8(1),
    INT8(1),
    UINT16(2),
    INT16(2),
    UINT32(4),
    INT32(4),
    FLOAT32(4),
    BOOL(1),
    STRING(0),
    ARRAY(0),
    UINT64(8),
    INT64(8),
    FLOAT64(8);

    private static final GgufValueType[] BY_ID = values();

    private final int bytes;

    GgufValueType(int bytes) {
        this.bytes = bytes;
    }

    static Optional<GgufValueType> find(int id) {
        return id >= 0 && id < BY_ID.length ? Optional.of(BY_ID[id]) : Optional.empty();
    }

    /// What a value takes; 0 where that differs from value to value.
    int bytes() {
        return bytes;
    }

    boolean isWhole() {
        return switch (this) {
            case UINT8, INT8, UINT16, INT16, UINT32, INT32, UINT64, INT64 -> true;
            case FLOAT32, FLOAT64, BOOL, STRING, ARRAY -> false;
        };
    }
}
