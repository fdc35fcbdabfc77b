// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import java.util.Locale;

/// A class of measured quantities. Errors are reported by class.
///
/// @since 0.1
public enum MeasuredClass {
    /// Tokens per second of one sequence.
    SINGLE_STREAM_DECODE,
    /// Tokens per second of a batch of fixed size.
    STATIC_BATCH,
    /// Tokens per second with all requests queued at once.
    OFFLINE_THROUGHPUT,
    /// Prompt tokens per second.
    PREFILL,
    /// Time until the first token.
    TIME_TO_FIRST_TOKEN,
    /// Time between tokens.
    TIME_PER_TOKEN,
    /// Time to the first token while others are served.
    SERVING_TTFT,
    /// Time between tokens while others are served.
    SERVING_TPOT,
    /// Output tokens per second of all users who are served.
    SERVING_THROUGHPUT,
    /// Time to the first token with disaggregated prefill and decode.
    DISAGGREGATED_TTFT,
    /// Time between tokens with disaggregated prefill and decode.
    DISAGGREGATED_TPOT,
    /// Tokens per second and device in training.
    TRAINING_SPEED,
    /// Peak memory of a device in training.
    TRAINING_MEMORY,
    /// A decode step on one H200, as a captured graph.
    H200_DECODE,
    /// A prompt of at least 2,048 tokens on one H200.
    H200_PREFILL,
    /// A shorter prompt on one H200, bound by launches.
    H200_SHORT_PREFILL,
    /// Tokens per second of llama.cpp in decode on one H200, one sequence or a batch.
    H200_LLAMA_DECODE,
    /// Tokens per second of llama.cpp in prefill on one H200.
    H200_LLAMA_PREFILL,
    /// Times to the first token and between tokens, and throughput, of llama-server on one H200 under load.
    H200_LLAMA_SERVER,
    /// A training step on one H200.
    H200_TRAINING_STEP,
    /// Peak memory of tensors in it.
    H200_TRAINING_PEAK,
    /// Peak memory of the allocator in it.
    H200_TRAINING_RESERVED,
    /// Memory of a serving engine at start.
    SERVING_MEMORY,
    /// The time of a batch through an encoder of texts or images.
    ENCODER_TIME,
    /// The time of a recording through a speech model, or of a part of one.
    SPEECH_TIME,
    /// The time of images or videos of a diffusion model.
    DIFFUSION_TIME,
    /// Sizes of files of weights.
    FILE_SIZE;

    /// Returns the name in tables, such as `static-batch`.
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Returns the class whose errors give the intervals of this one: its own, unless no fit ever sees its rows.
    /// Disaggregated prefill and decode consist of the same steps, and their rows have similar errors.
    public MeasuredClass intervalClass() {
        return this == DISAGGREGATED_TTFT ? SERVING_TTFT : this == DISAGGREGATED_TPOT ? SERVING_TPOT : this;
    }
}
