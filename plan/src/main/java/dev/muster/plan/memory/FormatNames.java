package dev.muster.plan.memory;

import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.plan.ModelArchitecture;
import dev.muster.plan.checkpoint.GgufFileType;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The formats of weights by the names that people and tables write, such as `fp8`, `fp4` or `q4_k_m`.
///
/// @since 0.1
public final class FormatNames {
    private FormatNames() {}

    /// The weights of an architecture in a format; unknown where nobody knows the format, or the architecture lacks a
    /// number.
    public static Reading<StoredWeights> weights(String name, ModelArchitecture architecture) {
        String wanted = name.toLowerCase(Locale.ROOT);
        Optional<WeightFormat> format = find(wanted, architecture);
        if (format.isPresent()) {
            return format.get().weights(architecture);
        }
        for (GgufFileType file : GgufFileType.values()) {
            if (file.name().equalsIgnoreCase(wanted)) {
                return GgufMix.of(file).weights(architecture);
            }
        }
        return Reading.unknown(UnknownReason.NOT_SUPPORTED, "nobody knows the format '" + name + "'");
    }

    /// Whether a format is one of GGUF alone, which llama.cpp and its kin read.
    public static boolean isGgufAlone(String name) {
        return Arrays.stream(GgufFileType.values()).anyMatch(file -> file.name().equalsIgnoreCase(name))
                && Arrays.stream(WeightFormat.values())
                        .noneMatch(format -> format.label().equalsIgnoreCase(name));
    }

    /// Models with latent attention scale their 8-bit numbers block by block.
    private static Optional<WeightFormat> find(String name, ModelArchitecture architecture) {
        if (name.equals("fp8") && architecture.hasLatentAttention()) {
            return Optional.of(WeightFormat.FP8_BLOCK);
        }
        String label = switch (name) {
            case "fp4" -> "nvfp4";
            case "int4", "awq" -> "awq-int4";
            case "gptq" -> "gptq-int4";
            case "nf4-dq" -> "nf4";
            default -> name;
        };
        for (WeightFormat format : WeightFormat.values()) {
            if (format.label().equals(label)) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }
}
