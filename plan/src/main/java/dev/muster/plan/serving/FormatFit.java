// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.core.unit.Bytes;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.cost.DevicePool;
import java.util.Optional;

/// The fit of a model on devices of one kind, with weights of one format.
///
/// @param format weight format
/// @param pool the devices
/// @param software the engine
/// @param weights bytes of all weights
/// @param tokensAlone tokens of a single sequence; 0 if it does not fit
/// @param tokens tokens of each of the requested sequences; 0 if they do not fit
/// @param mostTokens the model's context, the largest that was tried
/// @param sequences number of concurrent sequences with the requested tokens; 0 if not even one fits
/// @param kvBits bits of a number in the KV cache
/// @param plan best plan for the request, if it fits
/// @since 0.1
public record FormatFit(
        WeightFormat format,
        DevicePool pool,
        ServingEngine software,
        Bytes weights,
        int tokensAlone,
        int tokens,
        int mostTokens,
        int sequences,
        int kvBits,
        Optional<ServingPlan> plan) {
    /// Reports whether anything fits.
    public boolean isAny() {
        return tokensAlone > 0;
    }
}
