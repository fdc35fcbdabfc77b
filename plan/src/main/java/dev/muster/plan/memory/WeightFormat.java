package dev.muster.plan.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How the weights of a model are stored. Immutable.
///
/// @since 0.1
public sealed interface WeightFormat permits StandardFormat, GgufFormat {
    /// The name on the command line and in documents, such as `fp8-block` or `q4_k_m`.
    String label();

    /// Bits of most weights, without their scales.
    int weightBits();

    /// The format that a text names, by any of its names.
    ///
    /// @throws IllegalArgumentException if it names none; the message says which there are
    static WeightFormat parse(String text) {
        return find(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown weight format '" + text + "'; known are " + String.join(", ", labels())));
    }

    /// The format that a text names, if it names one.
    static Optional<WeightFormat> find(String text) {
        String name = text.toLowerCase(Locale.ROOT);
        String label = switch (name) {
            case "fp4" -> "nvfp4";
            case "int4", "awq" -> "awq-int4";
            case "gptq" -> "gptq-int4";
            case "nf4-dq" -> "nf4";
            default -> name;
        };
        for (WeightFormat format : all()) {
            if (format.label().equals(label)) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }

    /// The names of all formats.
    static List<String> labels() {
        return all().stream().map(WeightFormat::label).distinct().toList();
    }

    /// Of two with one name, the first is meant.
    private static List<WeightFormat> all() {
        List<WeightFormat> all = new ArrayList<>(List.of(StandardFormat.values()));
        all.addAll(List.of(GgufFormat.values()));
        return all;
    }
}
