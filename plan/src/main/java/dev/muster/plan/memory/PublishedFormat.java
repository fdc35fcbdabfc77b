package dev.muster.plan.memory;

import dev.muster.plan.ModelArchitecture;
import dev.muster.plan.ModelQuantization;
import java.util.Locale;
import java.util.Optional;

/// The format that the weights of a model are published in, where it has fewer than 16 bits: what its catalogue row,
/// its configuration or its GGUF header calls its quantization, by the name that [FormatNames] knows.
///
/// @since 0.1
public final class PublishedFormat {
    private static final int FOUR = 4;

    private PublishedFormat() {}

    /// The format; empty where weights are published in 16 bits or more, or in a way that nobody can count.
    public static Optional<String> find(ModelArchitecture architecture) {
        return architecture.quantization().find().flatMap(PublishedFormat::of);
    }

    /// Whether a format is the published one, by any of its names.
    public static boolean is(String format, ModelArchitecture architecture) {
        return find(architecture).filter(format::equalsIgnoreCase).isPresent();
    }

    private static Optional<String> of(ModelQuantization how) {
        String method = how.method().toLowerCase(Locale.ROOT);
        if (FormatNames.isGgufAlone(method)) {
            return Optional.of(method);
        }
        int bits = how.bits().orElse(0);
        return switch (method) {
            case "mxfp4", "nvfp4" -> Optional.of(method);
            case "fp8", "fbgemm_fp8" -> Optional.of("fp8");
            case "awq" -> byBits(bits == 0 ? FOUR : bits, "awq-int4");
            case "gptq" -> byBits(bits, "gptq-int4");
            case "bitsandbytes" -> byBits(bits, "nf4");
            // Groups of four bits with scales; of eight bits the file does not say here whether they are whole numbers.
            case "compressed-tensors" -> bits == FOUR ? Optional.of("awq-int4") : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Optional<String> byBits(int bits, String ofFour) {
        return switch (bits) {
            case FOUR -> Optional.of(ofFour);
            case Byte.SIZE -> Optional.of("int8");
            default -> Optional.empty();
        };
    }
}
