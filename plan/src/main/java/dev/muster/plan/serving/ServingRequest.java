// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelSummary;
import dev.muster.model.memory.PublishedFormat;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;

/// A request for a serving plan.
///
/// @param model the model
/// @param format weight format
/// @param input tokens of a prompt
/// @param output tokens of an answer
/// @param concurrency number of concurrent sequences
/// @param goal goal of the plan
/// @param limits limits of the plan
/// @param kvBits bits of a number of the KV cache, 8 or 16; 0 for those of the engine with the format
/// @param limitsContext true if a server admits no longer sequences than these; else as long ones as the model allows
/// and
/// memory permits
/// @since 0.1
public record ServingRequest(
        ModelSummary model,
        WeightFormat format,
        int input,
        int output,
        int concurrency,
        ServingGoal goal,
        ServingLimits limits,
        int kvBits,
        boolean limitsContext) {
    /// Default tokens of a prompt and its answer.
    public static final int DEFAULT_CONTEXT = 4096;
    /// Default tokens of an answer.
    public static final int DEFAULT_OUTPUT = 256;

    /// The largest default number of concurrent sequences of a server: the default of vLLM.
    public static final int MOST_SEQUENCES = 256;

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException unless tokens and sequences are at least 1, and bits are 0, 8 or 16
    public ServingRequest {
        if (input < 1 || output < 1 || concurrency < 1) {
            throw new IllegalArgumentException("a request has at least one token in, one out, and one sequence");
        }
        if (kvBits != 0 && kvBits != Byte.SIZE && kvBits != Short.SIZE) {
            throw new IllegalArgumentException("a KV cache has 8 or 16 bits");
        }
    }

    /// Returns a request for the fastest serving of one sequence of 4096 tokens, 256 of them the answer, with the
    /// published weights.
    public static ServingRequest of(ModelSummary model) {
        return new ServingRequest(
                model,
                PublishedFormat.find(model.architecture()).orElse(StandardFormat.BF16),
                DEFAULT_CONTEXT - DEFAULT_OUTPUT,
                DEFAULT_OUTPUT,
                1,
                ServingGoal.LATENCY,
                ServingLimits.NONE,
                0,
                false);
    }

    /// Returns the architecture.
    public ModelArchitecture architecture() {
        return model.architecture();
    }

    /// Returns the tokens of a complete sequence.
    public int tokens() {
        return input + output;
    }

    /// Returns the mean tokens of a sequence while it is answered.
    public double meanContext() {
        return input + output / 2.0;
    }

    /// Returns a copy with weights of another format.
    public ServingRequest withFormat(WeightFormat other) {
        return new ServingRequest(model, other, input, output, concurrency, goal, limits, kvBits, limitsContext);
    }

    /// Returns a copy with another number of sequences.
    public ServingRequest withConcurrency(int other) {
        return new ServingRequest(model, format, input, output, other, goal, limits, kvBits, limitsContext);
    }

    /// Returns a copy with prompts and answers of other lengths.
    public ServingRequest withTokens(int inputTokens, int outputTokens) {
        return new ServingRequest(
                model, format, inputTokens, outputTokens, concurrency, goal, limits, kvBits, limitsContext);
    }

    /// Returns a copy with prompts of another length.
    public ServingRequest withInput(int other) {
        return withTokens(other, output);
    }

    /// Returns a copy with other limits.
    public ServingRequest withLimits(ServingLimits other) {
        return new ServingRequest(model, format, input, output, concurrency, goal, other, kvBits, limitsContext);
    }

    /// Returns a copy with another goal.
    public ServingRequest withGoal(ServingGoal other) {
        return new ServingRequest(model, format, input, output, concurrency, other, limits, kvBits, limitsContext);
    }

    /// Returns a copy with other bits of the KV cache; 0 for those of the engine with the format.
    public ServingRequest withKvBits(int other) {
        return new ServingRequest(model, format, input, output, concurrency, goal, limits, other, limitsContext);
    }

    /// Returns a copy whose tokens are the longest sequence that a server admits.
    public ServingRequest withContextLimit() {
        return new ServingRequest(model, format, input, output, concurrency, goal, limits, kvBits, true);
    }

    /// Returns a copy with another total number of tokens, at least two; the answer keeps its length if possible.
    public ServingRequest withTokens(int total) {
        int answer = Math.min(output, total - 1);
        return withTokens(total - answer, answer);
    }
}
