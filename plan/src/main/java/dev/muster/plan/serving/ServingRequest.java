// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelSummary;
import dev.muster.model.memory.PublishedFormat;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;

/// What is asked of a plan to serve a model.
///
/// @param model the model
/// @param format how its weights are stored
/// @param input tokens of a prompt
/// @param output tokens of an answer
/// @param concurrency sequences that run at the same time
/// @param goal what the plan should be best at
/// @param limits the most that the plan may take
/// @param kvBits bits of a number of the KV cache, 8 or 16; 0 for those that the engine takes with the format
/// @since 0.1
public record ServingRequest(
        ModelSummary model,
        WeightFormat format,
        int input,
        int output,
        int concurrency,
        ServingGoal goal,
        ServingLimits limits,
        int kvBits) {
    /// Tokens of a prompt and its answer, unless said otherwise.
    public static final int DEFAULT_CONTEXT = 4096;
    /// Tokens of an answer, unless said otherwise.
    public static final int DEFAULT_OUTPUT = 256;

    /// The most sequences at once that a server is planned for where no number is given: the default of vLLM.
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

    /// One sequence of 4096 tokens, 256 of them the answer, with the weights as the model is published, as fast as can
    /// be.
    public static ServingRequest of(ModelSummary model) {
        return new ServingRequest(
                model,
                PublishedFormat.find(model.architecture()).orElse(StandardFormat.BF16),
                DEFAULT_CONTEXT - DEFAULT_OUTPUT,
                DEFAULT_OUTPUT,
                1,
                ServingGoal.LATENCY,
                ServingLimits.NONE,
                0);
    }

    /// How the model is built.
    public ModelArchitecture architecture() {
        return model.architecture();
    }

    /// Tokens of a sequence when it is complete.
    public int tokens() {
        return input + output;
    }

    /// Tokens that a sequence holds on average while it is answered.
    public double meanContext() {
        return input + output / 2.0;
    }

    /// The same with weights of another format.
    public ServingRequest withFormat(WeightFormat other) {
        return new ServingRequest(model, other, input, output, concurrency, goal, limits, kvBits);
    }

    /// The same with another number of sequences.
    public ServingRequest withConcurrency(int other) {
        return new ServingRequest(model, format, input, output, other, goal, limits, kvBits);
    }

    /// The same with prompts and answers of other lengths.
    public ServingRequest withTokens(int inputTokens, int outputTokens) {
        return new ServingRequest(model, format, inputTokens, outputTokens, concurrency, goal, limits, kvBits);
    }

    /// The same with prompts of another length.
    public ServingRequest withInput(int other) {
        return withTokens(other, output);
    }

    /// The same with other limits.
    public ServingRequest withLimits(ServingLimits other) {
        return new ServingRequest(model, format, input, output, concurrency, goal, other, kvBits);
    }

    /// The same with another goal.
    public ServingRequest withGoal(ServingGoal other) {
        return new ServingRequest(model, format, input, output, concurrency, other, limits, kvBits);
    }

    /// The same with so many bits for each number of the KV cache; 0 for those that the engine takes with the format.
    public ServingRequest withKvBits(int other) {
        return new ServingRequest(model, format, input, output, concurrency, goal, limits, other);
    }

    /// The same with so many tokens in all, two at least; the answer keeps its length where it can.
    public ServingRequest withTokens(int total) {
        int answer = Math.min(output, total - 1);
        return withTokens(total - answer, answer);
    }
}
