package dev.muster.plan.checkpoint;

import dev.muster.plan.model.Tensor;
import org.jspecify.annotations.Nullable;

/// Types of safetensors, found by their names' bytes. Source: the format's description, release 0.7.
final class SafeTensorsType {
    private static final Tensor.Type[] ALL = {
        Tensor.Type.plain("BF16", 16),
        Tensor.Type.plain("F16", 16),
        Tensor.Type.plain("F32", 32),
        Tensor.Type.plain("F8_E4M3", 8),
        Tensor.Type.plain("F8_E5M2", 8),
        Tensor.Type.plain("F8_E8M0", 8),
        Tensor.Type.plain("F4", 4),
        Tensor.Type.plain("F6_E2M3", 6),
        Tensor.Type.plain("F6_E3M2", 6),
        Tensor.Type.plain("U8", 8),
        Tensor.Type.plain("I8", 8),
        Tensor.Type.plain("I32", 32),
        Tensor.Type.plain("I64", 64),
        Tensor.Type.plain("I16", 16),
        Tensor.Type.plain("U16", 16),
        Tensor.Type.plain("U32", 32),
        Tensor.Type.plain("U64", 64),
        Tensor.Type.plain("F64", 64),
        Tensor.Type.plain("C64", 64),
        Tensor.Type.plain("BOOL", 8)
    };

    private SafeTensorsType() {}

    /// Whether numbers of the type are weights themselves and not several packed into one.
    static boolean isFloating(Tensor.Type type) {
        char first = type.name().charAt(0);
        return first == 'F' || first == 'C' || type.name().equals("BF16");
    }

    /// The type with that name, or null.
    static Tensor.@Nullable Type find(String name) {
        for (Tensor.Type type : ALL) {
            if (type.name().equals(name)) {
                return type;
            }
        }
        return null;
    }
}
