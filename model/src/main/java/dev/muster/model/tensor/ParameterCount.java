// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import dev.muster.core.Reading;
import dev.muster.model.ModelArchitecture;

/// How many parameters a model of an architecture has. Exact for the families of [ModelFamily].
///
/// @param total all parameters, those of parts that see or hear among them
/// @param active those that take part in one token
public record ParameterCount(long total, long active) {
    /// Counts; unknown, with the reason, where the architecture lacks a number or says what is not understood.
    public static Reading<ParameterCount> of(ModelArchitecture architecture) {
        return ModelTensors.count(architecture);
    }
}
