// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import dev.muster.core.Reading;
import dev.muster.model.ModelArchitecture;

/// The number of parameters of a model of an architecture. Exact for the families of [ModelFamily].
///
/// @param total all parameters, with those of vision and audio parts
/// @param active parameters that take part in one token
public record ParameterCount(long total, long active) {
    /// Returns the count; unknown, with the reason, if the architecture lacks a number or states what is not
    /// understood.
    public static Reading<ParameterCount> of(ModelArchitecture architecture) {
        return ModelTensors.count(architecture);
    }
}
