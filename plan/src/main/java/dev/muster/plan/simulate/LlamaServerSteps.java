// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import dev.muster.plan.cost.StepTime;
import dev.muster.plan.time.LlamaCppModel;

/// The steps of llama-server: few rows use the kernels of single tokens, many those of prompts, and more rows never
/// cost
/// less. One thread samples for all sequences, one after the other, and keeps the cache of a request that another one
/// follows in memory of the host.
///
/// @param kept tokens of the cache that a request leaves, for each token of its prompt
public record LlamaServerSteps(LlamaCppModel model, double kept) implements ModelStepTimes.Steps {
    private static final int FEW = 64;

    @Override
    public double rows(double tokens) {
        double few = bare(model.decode(Math.min(tokens, FEW), 0));
        return tokens <= FEW ? few : Math.max(few, bare(model.prefill(tokens, 0)));
    }

    private static double bare(StepTime step) {
        return step.seconds() - step.attention();
    }

    @Override
    public double attention(double sequences, double before) {
        return model.decode(sequences, before).attention();
    }

    @Override
    public double sequences(double sequences) {
        return model.samplingSeconds(sequences);
    }

    @Override
    public double prompt(double before, double tokens) {
        return model.prefill(tokens, before).attention() + model.keepingSeconds(kept * tokens);
    }

    @Override
    public double promptStep() {
        return 0;
    }

    @Override
    public double promptFloor() {
        return 0;
    }
}
