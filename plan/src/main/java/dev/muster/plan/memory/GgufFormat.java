package dev.muster.plan.memory;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;

/// A mixture of types in a GGUF file, which llama.cpp and what is built on it read.
///
/// @param type the mixture
/// @since 0.1
public record GgufFormat(GgufFileType type) implements WeightFormat {
    static Stream<GgufFormat> all() {
        return Arrays.stream(GgufFileType.values()).map(GgufFormat::new);
    }

    @Override
    public String label() {
        return type.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public int weightBits() {
        String name = label();
        int digit = 0;
        while (digit < name.length() && !Character.isDigit(name.charAt(digit))) {
            digit++;
        }
        return name.endsWith("16")
                ? 16
                : name.endsWith("32") ? 32 : digit < name.length() ? name.charAt(digit) - '0' : 4;
    }

    @Override
    public String toString() {
        return label();
    }
}
