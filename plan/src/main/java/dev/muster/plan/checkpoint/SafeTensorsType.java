package dev.muster.plan.checkpoint;

import org.jspecify.annotations.Nullable;

/// Types of safetensors, found by their names' bytes. Source: the format's description, release 0.7.
final class SafeTensorsType {
    private static final TensorType[] ALL = {
        TensorType.plain("BF16", 16),
        TensorType.plain("F16", 16),
        TensorType.plain("F32", 32),
        TensorType.plain("F8_E4M3", 8),
        TensorType.plain("F8_E5M2", 8),
        TensorType.plain("F8_E8M0", 8),
        TensorType.plain("F4", 4),
        TensorType.plain("F6_E2M3", 6),
        TensorType.plain("F6_E3M2", 6),
        TensorType.plain("U8", 8),
        TensorType.plain("I8", 8),
        TensorType.plain("I32", 32),
        TensorType.plain("I64", 64),
        TensorType.plain("I16", 16),
        TensorType.plain("U16", 16),
        TensorType.plain("U32", 32),
        TensorType.plain("U64", 64),
        TensorType.plain("F64", 64),
        TensorType.plain("C64", 64),
        TensorType.plain("BOOL", 8)
    };

    private SafeTensorsType() {}

    /// Whether numbers of the type are weights themselves and not several packed into one.
    static boolean isFloating(TensorType type) {
        char first = type.name().charAt(0);
        return first == 'F' || first == 'C' || type.name().equals("BF16");
    }

    /// The type with that name, or null.
    static @Nullable TensorType find(String name) {
        for (TensorType type : ALL) {
            if (type.name().equals(name)) {
                return type;
            }
        }
        return null;
    }
}
