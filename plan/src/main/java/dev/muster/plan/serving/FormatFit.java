// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.core.unit.Bytes;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.answer.DevicePool;
import java.util.Optional;

/// What fits of a model on devices of one kind, with weights of one format.
///
/// @param format how weights are stored
/// @param pool the devices
/// @param software the engine
/// @param weights what all weights take
/// @param tokensAlone tokens of a sequence that has the devices for itself; 0 where it does not fit
/// @param tokens tokens of each of the sequences that were asked for; 0 where they do not fit
/// @param mostTokens tokens that the model was made for, beyond which nothing was tried
/// @param sequences sequences at once, with as many tokens as were asked for; 0 where not even one fits
/// @param kvBits bits of a number in the KV cache
/// @param plan the best plan for what was asked, where that fits
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
    /// Whether anything fits.
    public boolean isAny() {
        return tokensAlone > 0;
    }
}
