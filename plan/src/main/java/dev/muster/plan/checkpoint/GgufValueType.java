package dev.muster.plan.checkpoint;

import java.util.Optional;

/// The types of GGUF's values, in the order of their numbers.
enum GgufValueType {
    UINT8(0, 1),
    INT8(1, 1),
    UINT16(2, 2),
    INT16(3, 2),
    UINT32(4, 4),
    INT32(5, 4),
    FLOAT32(6, 4),
    BOOL(7, 1),
    STRING(8, 0),
    ARRAY(9, 0),
    UINT64(10, 8),
    INT64(11, 8),
    FLOAT64(12, 8);

    private static final GgufValueType[] BY_ID = values();

    private final int id;
    private final int bytes;

    GgufValueType(int id, int bytes) {
        this.id = id;
        this.bytes = bytes;
    }

    static Optional<GgufValueType> find(int id) {
        return id >= 0 && id < BY_ID.length ? Optional.of(BY_ID[id]) : Optional.empty();
    }

    int id() {
        return id;
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
