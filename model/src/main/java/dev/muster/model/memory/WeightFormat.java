// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.memory;

import dev.muster.core.QuantizationLevel;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelArchitecture;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The storage format of a model's weights. Immutable.
///
/// @since 0.1
public sealed interface WeightFormat permits StandardFormat, GgufFormat {
    /// Returns the name on the command line and in documents, such as `fp8-block` or `q4_k_m`.
    String label();

    /// Returns the bits of most weights, without their scales.
    int weightBits();

    /// Parses a format by any of its names.
    ///
    /// @throws IllegalArgumentException if it names none; the message says which there are
    static WeightFormat parse(String text) {
        return find(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown weight format '" + text + "'; known: " + String.join(", ", labels())));
    }

    /// Returns the format that a text names, if it names one.
    static Optional<WeightFormat> find(String text) {
        String name = text.toLowerCase(Locale.ROOT);
        String label = switch (name) {
            case "fp4" -> "nvfp4";
            case "int4", "awq" -> "awq-int4";
            case "gptq" -> "gptq-int4";
            case "nf4-dq" -> "nf4";
            // Unsloth's mixtures, after the one that most of their tensors have.
            case "q2_k_xl" -> "q2_k";
            case "q3_k_xl" -> "q3_k_m";
            case "q4_k_xl" -> "q4_k_m";
            case "q5_k_xl" -> "q5_k_m";
            case "q6_k_xl" -> "q6_k";
            case "q8_k_xl" -> "q8_0";
            default -> name;
        };
        for (WeightFormat format : all()) {
            if (format.label().equals(label)) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }

    /// Returns the format of a model's published weights; empty if they have 16 bits or more, or are in a format that
    /// cannot be counted.
    static Optional<WeightFormat> findPublished(ModelArchitecture architecture) {
        return PublishedFormat.find(architecture);
    }

    /// Reports whether a format is the published one, by any of its names.
    static boolean isPublished(WeightFormat format, ModelArchitecture architecture) {
        return findPublished(architecture).filter(format::equals).isPresent();
    }

    /// Returns the bytes of weights at a level if only the model's size is known. Weights at 4 and 8 bits share
    /// scales: groups of 64 have one of 16 bits and, at 4 bits, a zero point.
    static Bytes estimate(long parameters, QuantizationLevel level) {
        double scales = switch (level) {
            case NONE, FLOAT16, BFLOAT16 -> 0;
            case INT8 -> 16.0 / 64;
            case INT4 -> 16.0 / 64 + 4.0 / 64;
        };
        return Bytes.of((long) (parameters / (double) Byte.SIZE * (level.bitsPerParameter() + scales)));
    }

    /// Returns the names of all formats.
    static List<String> labels() {
        return all().stream().map(WeightFormat::label).distinct().toList();
    }

    /// Returns all formats; of two with one name, the first is meant.
    private static List<WeightFormat> all() {
        List<WeightFormat> all = new ArrayList<>(List.of(StandardFormat.values()));
        all.addAll(List.of(GgufFormat.values()));
        return all;
    }
}
