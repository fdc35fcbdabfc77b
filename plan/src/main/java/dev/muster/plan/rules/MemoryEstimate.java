// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

import dev.muster.core.text.FixedText;
import dev.muster.plan.training.TrainingMethod;
import java.util.Locale;

/// The memory of training a model, in GiB.
///
/// @param modelGib the weights
/// @param optimizerGib gradients and the optimizer's state
/// @param activationGib activations kept for the backward pass
/// @since 0.1
public record MemoryEstimate(double modelGib, double optimizerGib, double activationGib) {
    /// Returns the memory that training takes, by ai-hwaccel's rules: multiples of the weights at 16 bits, for Adam and
    /// one sequence of moderate length at a time, which is a lower bound.
    ///
    /// @param millions number of parameters in millions, as an unsigned number
    public static MemoryEstimate of(long millions, TrainingMethod method, Target target) {
        return TrainingRule.estimate(millions, method, target);
    }

    /// Returns the total.
    public double totalGib() {
        return modelGib + optimizerGib + activationGib;
    }

    /// Returns the estimate in ai-hwaccel's words; its "GB" are GiB.
    public String display() {
        return "Model: " + text(modelGib) + " GB, Optimizer: " + text(optimizerGib) + " GB, Activations: "
                + text(activationGib) + " GB (total: " + text(totalGib()) + " GB)";
    }

    private static String text(double gib) {
        return FixedText.of(gib, 1);
    }

    /// The kind of device for training.
    ///
    /// @since 0.1
    public enum Target {
        /// Graphics processors.
        GPU("Gpu"),
        /// Google's TPUs.
        TPU("Tpu"),
        /// Intel's Gaudi.
        GAUDI("Gaudi"),
        /// Processors.
        CPU("Cpu");

        private final String referenceName;

        Target(String referenceName) {
            this.referenceName = referenceName;
        }

        /// Returns the name on the command line and in documents, such as `gpu`.
        public String text() {
            return referenceName.toLowerCase(Locale.ROOT);
        }

        /// Returns the name in documents of ai-hwaccel.
        public String referenceName() {
            return referenceName;
        }
    }
}
