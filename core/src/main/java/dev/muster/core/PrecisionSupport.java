// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static dev.muster.core.QuantizationLevel.BFLOAT16;
import static dev.muster.core.QuantizationLevel.FLOAT16;
import static dev.muster.core.QuantizationLevel.INT4;
import static dev.muster.core.QuantizationLevel.INT8;
import static dev.muster.core.QuantizationLevel.NONE;

import java.util.List;

/// The quantization levels that a kind of device runs, and the best of them.
enum PrecisionSupport {
    /// Processors and graphics processors: everything.
    GENERAL(FLOAT16, NONE, FLOAT16, BFLOAT16, INT8, INT4),
    /// Neural engines: integers only.
    INTEGER_ONLY(INT8, INT8, INT4),
    /// Google's TPUs: no IEEE half precision.
    TPU(BFLOAT16, NONE, BFLOAT16, INT8),
    /// Training chips of the data centre.
    TRAINING_ASIC(BFLOAT16, NONE, FLOAT16, BFLOAT16, INT8),
    /// Graphcore's IPU: no bfloat16.
    IPU(FLOAT16, NONE, FLOAT16, INT8),
    /// Inference chips: half precision and integers.
    INFERENCE_ASIC(INT8, FLOAT16, INT8, INT4);

    private final QuantizationLevel preferred;
    private final List<QuantizationLevel> supported;

    PrecisionSupport(QuantizationLevel preferred, QuantizationLevel... supported) {
        this.preferred = preferred;
        this.supported = List.of(supported);
    }

    QuantizationLevel preferred() {
        return preferred;
    }

    List<QuantizationLevel> supported() {
        return supported;
    }
}
