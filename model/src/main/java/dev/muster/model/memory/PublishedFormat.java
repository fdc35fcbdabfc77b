// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.memory;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelQuantization;
import java.util.Locale;
import java.util.Optional;

/// The format of a model's published weights, if it has fewer than 16 bits: the quantization that its catalogue row,
/// its configuration or its GGUF header states, by its name in [WeightFormat].
final class PublishedFormat {
    private static final int FOUR = 4;

    private PublishedFormat() {}

    /// Returns the format; empty if weights are published in 16 bits or more, or in a format that cannot be counted.
    static Optional<WeightFormat> find(ModelArchitecture architecture) {
        return architecture.quantization().find().flatMap(PublishedFormat::of);
    }

    private static Optional<WeightFormat> of(ModelQuantization how) {
        String method = how.method().toLowerCase(Locale.ROOT);
        Optional<WeightFormat> gguf = WeightFormat.find(method).filter(GgufFormat.class::isInstance);
        if (gguf.isPresent()) {
            return gguf;
        }
        int bits = how.bits().orElse(0);
        return switch (method) {
            case "mxfp4" -> Optional.of(StandardFormat.MXFP4);
            case "nvfp4" -> Optional.of(StandardFormat.NVFP4);
            case "fp8", "fbgemm_fp8" -> Optional.of(StandardFormat.FP8);
            case "awq" -> byBits(bits == 0 ? FOUR : bits, StandardFormat.AWQ_INT4);
            case "gptq" -> byBits(bits, StandardFormat.GPTQ_INT4);
            case "bitsandbytes" -> byBits(bits, StandardFormat.NF4);
            // Groups of four bits with scales; of eight bits the file does not state here whether they are integers.
            case "compressed-tensors" -> bits == FOUR ? Optional.of(StandardFormat.AWQ_INT4) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Optional<WeightFormat> byBits(int bits, StandardFormat ofFour) {
        return switch (bits) {
            case FOUR -> Optional.of(ofFour);
            case Byte.SIZE -> Optional.of(StandardFormat.INT8);
            default -> Optional.empty();
        };
    }
}
