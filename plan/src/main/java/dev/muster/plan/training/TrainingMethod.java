// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

import dev.muster.core.AcceleratorRequirement;
import java.util.Locale;

/// A training method. Immutable.
///
/// @since 0.1
public sealed interface TrainingMethod {
    /// Returns the method for people and on the command line.
    String display();

    /// Reports whether the model's weights are frozen, and small matrices beside them are trained.
    default boolean isAdapter() {
        return hasRank() || this == Simple.PREFIX;
    }

    /// Reports whether pairs of matrices of a rank are trained.
    default boolean hasRank() {
        return this instanceof QLora || this == Simple.LORA;
    }

    /// Returns the preferred accelerator of the method.
    AcceleratorRequirement preferredAccelerator();

    /// Reads a method: `full`, `lora`, `qlora` (4 bits), `qlora-8bit`, `prefix`, `dpo`, `rlhf` or `distillation`.
    ///
    /// @throws IllegalArgumentException for anything else; the message says which there are
    static TrainingMethod parse(String text) {
        String name = text.toLowerCase(Locale.ROOT).replace('_', '-');
        for (Simple simple : Simple.values()) {
            if (simple.display().equals(name)) {
                return simple;
            }
        }
        return switch (name) {
            case "full-fine-tune", "fullfinetune" -> Simple.FULL_FINE_TUNE;
            case "qlora", "qlora-4bit" -> new QLora(QLora.FEW_BITS);
            case "qlora-8bit" -> new QLora(QLora.MANY_BITS);
            default ->
                throw new IllegalArgumentException("'" + text + "' is not a training method; known are full, lora,"
                        + " qlora-4bit, qlora-8bit, prefix, dpo, rlhf and distillation");
        };
    }

    /// Methods without a parameter.
    enum Simple implements TrainingMethod {
        /// All weights are trained.
        FULL_FINE_TUNE("full", "FullFineTune"),
        /// Small matrices beside the weights are trained.
        LORA("lora", "LoRA"),
        /// A learned prefix is trained.
        PREFIX("prefix", "Prefix"),
        /// Direct preference optimization.
        DPO("dpo", "DPO"),
        /// Reinforcement learning from human feedback.
        RLHF("rlhf", "RLHF"),
        /// A small model learns from a large one.
        DISTILLATION("distillation", "Distillation");

        private final String display;
        private final String referenceName;

        Simple(String display, String referenceName) {
            this.display = display;
            this.referenceName = referenceName;
        }

        /// Returns the name in documents of ai-hwaccel.
        public String referenceName() {
            return referenceName;
        }

        @Override
        public String display() {
            return display;
        }

        @Override
        public AcceleratorRequirement preferredAccelerator() {
            return switch (this) {
                case LORA -> AcceleratorRequirement.GPU;
                case FULL_FINE_TUNE, PREFIX, DPO, RLHF, DISTILLATION -> AcceleratorRequirement.GPU_OR_TPU;
            };
        }
    }

    /// LoRA beside weights that are held in a few bits.
    ///
    /// @param bits bits per weight, 0 to 255 as in documents of ai-hwaccel
    record QLora(int bits) implements TrainingMethod {
        private static final int MAX_BITS = 255;
        private static final int FEW_BITS = 4;
        private static final int MANY_BITS = 8;

        /// Checks the number of bits.
        public QLora {
            if (bits < 0 || bits > MAX_BITS) {
                throw new IllegalArgumentException("bits per weight are from 0 to " + MAX_BITS + ": " + bits);
            }
        }

        @Override
        public String display() {
            return "qlora-" + bits + "bit";
        }

        @Override
        public AcceleratorRequirement preferredAccelerator() {
            return AcceleratorRequirement.GPU;
        }
    }
}
