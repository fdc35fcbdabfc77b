// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.plan.time.FineTune.Method;
import dev.muster.plan.time.FineTune.States;

/// The peak memory of training with PyTorch on each device, in bytes.
///
/// The counts are tensors that the backward pass needs, seen on an H200 with Hugging Face models (2026): they follow
/// from the code that runs, not from a fit.
///
/// @param adapters the trained matrices
public record FineTuneMemory(EagerShape shape, FineTune run, Adapters adapters) {
    /// Logits in 16 and 32 bits, their logarithms, and the gradient, for each token and row of the vocabulary.
    private static final double LOSS_BYTES = 12.2;
    /// The share of an eager block's activations that a compiled block keeps, with cheap operations recomputed.
    private static final double SELECTIVE_SHARE = 0.37;
    /// Bytes of a weight of four bits with its scale.
    private static final double QUANTIZED_BYTES = 4.5 / 8;

    /// Small matrices that are trained beside frozen ones.
    ///
    /// @param trained number of trained parameters: of adapters, or of the whole model
    /// @param ranks sum of ranks over the adapted matrices of a layer; 0 without adapters
    /// @param droppedInputs sum of inputs of the adapted matrices of a layer, if dropout keeps a copy; else 0
    public record Adapters(double trained, double ranks, double droppedInputs) {}

    /// Returns the peak of tensors if each device reads the whole model before it is sharded.
    public double peak() {
        return run.shards() > 1 && run.states() != States.SHARDED ? Math.max(steady(), loading()) : steady();
    }

    /// Returns the memory that the allocator reserves. It loses a share of what comes and goes: weights and optimizer
    /// states stay where they are.
    ///
    /// @param share reserved bytes for each byte that is allocated and freed
    public double reserved(double share) {
        double peak = peak();
        double staying = Math.min(peak, held());
        return staying + (peak - staying) * share;
    }

    /// Returns the peak of tensors in a step.
    public double steady() {
        double tokens = run.tokens() / (run.tensor() * run.context());
        double held = held();
        double gradients = isHosted() ? 0 : adapters.trained() * number() / run.shards();
        double loss = LOSS_BYTES * shape.vocabulary() + 8 * shape.hidden();
        double kept = shape.layers() * kept();
        double forward = held
                + (run.isAccumulated() ? gradients : 0)
                + casts()
                + tokens * (kept + (run.stages() > 1 ? saved() : loss));
        double backward = run.isRecomputed()
                ? held
                        + gradients
                        + tokens * (saved() + kept)
                        - (isHosted() ? 0 : shape.vocabulary() * shape.hidden() * number() / run.shards())
                : 0;
        return Math.max(Math.max(forward, backward), held + gradients) + gathered();
    }

    /// Returns the memory during loading: a device that reads the whole model before it is sharded holds it and its
    /// own shard.
    private double loading() {
        return weights() * (1 + 1 / run.shards());
    }

    private double number() {
        return run.states() == States.AUTOCAST || run.states() == States.SHARDED ? 4 : 2;
    }

    private boolean isHosted() {
        return run.states() == States.HOSTED;
    }

    /// Returns the bytes of weights and optimizer states.
    private double held() {
        if (isHosted()) {
            return 0;
        }
        double states = run.states() == States.PAGED ? 0 : 2 * number();
        return (weights() + adapters.trained() * states) / run.shards();
    }

    private double weights() {
        double frozen = run.method() == Method.QUANTIZED_ADAPTERS
                ? shape.linear() * QUANTIZED_BYTES + (shape.parameters() - shape.linear()) * 2
                : shape.parameters() * number();
        return frozen + (run.method() == Method.FULL ? 0 : adapters.trained() * number());
    }

    /// Returns the bytes of autocast's 16-bit copies of matrices, kept from forward to backward.
    private double casts() {
        if (run.states() != States.AUTOCAST) {
            return 0;
        }
        double head = 2 * shape.vocabulary() * shape.hidden();
        return run.isRecomputed() ? head : 2 * shape.linear() + head;
    }

    /// Returns the bytes of gathered layers, if devices share weights or the host holds them: two at a time, or all
    /// of a stage with its gradients while micro-batches pass through it.
    private double gathered() {
        if (run.shards() == 1 && !isHosted()) {
            return 0;
        }
        return run.stages() > 1
                ? (2 + 4) * shape.linear() / (run.tensor() * run.stages())
                : (2 * 2 * shape.linear() / shape.layers() + 2 * shape.vocabulary() * shape.hidden()) / run.tensor();
    }

    /// Returns the bytes of a layer and token that are kept from forward to backward.
    private double kept() {
        double residual = (run.states() == States.AUTOCAST ? 4 : 2) * shape.hidden();
        return switch (run.recompute()) {
            case NONE -> saved();
            case SELECTIVE -> SELECTIVE_SHARE * saved();
            case FULL -> residual;
        };
    }

    /// Returns the bytes of a layer and token that the backward pass needs.
    private double saved() {
        boolean isAdapter = run.method() != Method.FULL;
        // Root-mean-square norms keep copies in 32 bits, the older ones do not.
        double norms = (shape.isGated() ? (isAdapter ? 12 : 16) : (isAdapter ? 6 : 8)) * shape.hidden();
        double block = (shape.isGated() ? 8 : 4) * shape.inner();
        double saved = norms + 4 * shape.queries() + 4 * shape.keys() + block + 4 * shape.heads();
        saved += 2 * adapters.ranks() + 3 * adapters.droppedInputs();
        if (run.states() == States.AUTOCAST) {
            saved += 10 * shape.hidden();
        }
        if (run.method() == Method.QUANTIZED_ADAPTERS) {
            saved += 6 * shape.hidden() + 2 * shape.queries() + 2 * shape.inner();
        }
        return saved;
    }
}
