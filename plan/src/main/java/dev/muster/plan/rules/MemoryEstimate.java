package dev.muster.plan.rules;

import dev.muster.core.FixedText;

/// What training a model takes, in GiB.
///
/// @param modelGib the weights
/// @param optimizerGib gradients and the optimizer's state
/// @param activationGib what is kept for the way back
/// @since 0.1
public record MemoryEstimate(double modelGib, double optimizerGib, double activationGib) {
    /// All of it.
    public double totalGib() {
        return modelGib + optimizerGib + activationGib;
    }

    /// The estimate in ai-hwaccel's words; its "GB" are GiB.
    public String display() {
        return "Model: " + text(modelGib) + " GB, Optimizer: " + text(optimizerGib) + " GB, Activations: "
                + text(activationGib) + " GB (total: " + text(totalGib()) + " GB)";
    }

    private static String text(double gib) {
        return FixedText.of(gib, 1);
    }
}
