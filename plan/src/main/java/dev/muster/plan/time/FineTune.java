// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.plan.cost.TrainingRun.Recompute;

/// A training run with PyTorch: method, formats, and division over devices.
///
/// @param method trained weights
/// @param states formats of weights and optimizer states
/// @param recompute recomputation in the backward pass
/// @param batch sequences of a micro-batch
/// @param sequence tokens of each
/// @param shards devices that share weights and states
/// @param tensor tensor parallel degree
/// @param context degree of context parallelism (CP)
/// @param stages pipeline stages
/// @param isAccumulated true if gradients of earlier batches stay in memory meanwhile
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
    /// The method of training.
    public enum Method {
        /// Training of every weight.
        FULL,
        /// Training of small matrices beside frozen weights.
        ADAPTERS,
        /// Training of small matrices beside frozen weights of four bits.
        QUANTIZED_ADAPTERS
    }

    /// The formats of weights, gradients and optimizer states.
    public enum States {
        /// Everything in 16 bits.
        BRAIN_FLOAT,
        /// Everything in 32 bits; products are computed in 16.
        AUTOCAST,
        /// Everything in 32 bits and sharded; layers are gathered in 16 bits.
        SHARDED,
        /// Weights and gradients in 16 bits, the optimizer's states on the host.
        PAGED,
        /// Everything on the host; layers are loaded one after the other.
        HOSTED
    }

    /// Returns a run on one device.
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
