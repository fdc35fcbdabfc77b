// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.plan.cost.TrainingRun.Recompute;

/// Training with PyTorch: what is trained, in what, and how devices share it.
///
/// @param method what is trained
/// @param states what weights and optimizer states are kept in
/// @param recompute what is recomputed in the backward pass
/// @param batch sequences at once
/// @param sequence tokens of each
/// @param shards devices that share weights and states
/// @param tensor devices that share every matrix
/// @param context degree of context parallelism (CP)
/// @param stages pipeline stages
/// @param isAccumulated whether gradients of earlier batches lie in memory meanwhile
public record FineTune(
        Method method,
        States states,
        Recompute recompute,
        double batch,
        double sequence,
        double shards,
        double tensor,
        double context,
        double stages,
        boolean isAccumulated) {
    /// What is trained.
    public enum Method {
        /// Every weight.
        FULL,
        /// Small matrices beside the weights, which stay.
        ADAPTERS,
        /// Small matrices beside weights of four bits.
        QUANTIZED_ADAPTERS
    }

    /// What weights, gradients and optimizer states are kept in.
    public enum States {
        /// Everything in 16 bits.
        BRAIN_FLOAT,
        /// Everything in 32 bits; products are computed in 16.
        AUTOCAST,
        /// Everything in 32 bits and shared; layers are gathered in 16 bits.
        SHARDED,
        /// Weights and gradients in 16 bits, the optimizer's states on the host.
        PAGED,
        /// Everything on the host; layers come when their turn is.
        HOSTED
    }

    /// On one device.
    public static FineTune single(Method method, States states, Recompute recompute, double batch, double sequence) {
        return new FineTune(method, states, recompute, batch, sequence, 1, 1, 1, 1, false);
    }

    boolean isRecomputed() {
        return recompute == Recompute.FULL;
    }

    double tokens() {
        return batch * sequence;
    }
}
