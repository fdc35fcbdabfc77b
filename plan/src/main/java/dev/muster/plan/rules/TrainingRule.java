// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

import dev.muster.plan.training.TrainingMethod;

/// The memory of training: multiples of the weights at 16 bits, by method and by device. For Adam, one sequence at a
/// time, of moderate length: a lower bound.
final class TrainingRule {
    private static final double MILLION = 1_000_000.0;
    private static final double BYTES_PER_PARAMETER = 2.0;
    private static final double GIB = 1L << 30;
    private static final int FEW_BITS = 4;

    private TrainingRule() {}

    static MemoryEstimate estimate(long millions, TrainingMethod method, MemoryEstimate.Target target) {
        double base = Unsigned.toDouble(millions) * MILLION * BYTES_PER_PARAMETER / GIB;
        return switch (method) {
            case TrainingMethod.QLora(int bits) -> quantized(base, bits <= FEW_BITS, target);
            case TrainingMethod.Simple simple -> of(base, factors(simple, target));
        };
    }

    /// Returns the estimate for weights of few bits, which take less than those of 16 by a factor that also applies
    /// to the activations.
    private static MemoryEstimate quantized(double base, boolean few, MemoryEstimate.Target target) {
        double weights = switch (target) {
            case GPU, CPU -> few ? 0.25 : 0.5;
            case TPU -> few ? 0.4 : 0.6;
            case GAUDI -> few ? 0.35 : 0.55;
        };
        Factors lora = factors(TrainingMethod.Simple.LORA, target);
        return new MemoryEstimate(base * weights, base * lora.optimizer(), base * lora.activations() * weights);
    }

    private static MemoryEstimate of(double base, Factors factors) {
        return new MemoryEstimate(base * factors.weights(), base * factors.optimizer(), base * factors.activations());
    }

    private static Factors factors(TrainingMethod.Simple method, MemoryEstimate.Target target) {
        return switch (target) {
            case GPU, CPU ->
                switch (method) {
                    case FULL_FINE_TUNE -> new Factors(1.0, 2.0, 1.0);
                    case LORA -> new Factors(1.0, 0.1, 0.1);
                    case PREFIX -> new Factors(1.0, 0.05, 0.05);
                    case DPO, RLHF -> new Factors(2.0, 2.0, 1.5);
                    case DISTILLATION -> new Factors(1.5, 1.0, 0.8);
                };
            case TPU ->
                switch (method) {
                    case FULL_FINE_TUNE -> new Factors(1.0, 1.5, 0.8);
                    case LORA -> new Factors(1.0, 0.15, 0.12);
                    case PREFIX -> new Factors(1.0, 0.05, 0.05);
                    case DPO, RLHF -> new Factors(2.0, 1.5, 1.2);
                    case DISTILLATION -> new Factors(1.5, 0.8, 0.6);
                };
            case GAUDI ->
                switch (method) {
                    case FULL_FINE_TUNE -> new Factors(1.0, 1.5, 0.9);
                    case LORA -> new Factors(1.0, 0.12, 0.12);
                    case PREFIX -> new Factors(1.0, 0.05, 0.06);
                    case DPO, RLHF -> new Factors(2.0, 1.5, 1.3);
                    case DISTILLATION -> new Factors(1.5, 0.9, 0.7);
                };
        };
    }

    /// Multiples of the weights at 16 bits.
    private record Factors(double weights, double optimizer, double activations) {}
}
