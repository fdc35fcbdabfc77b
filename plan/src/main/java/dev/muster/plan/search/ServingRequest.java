package dev.muster.plan.search;

import dev.muster.plan.ModelArchitecture;

/// What is asked of a plan.
///
/// @param architecture the model
/// @param format how its weights are stored, such as `bf16` or `fp8`
/// @param input tokens of a prompt
/// @param output tokens of an answer
/// @param concurrency sequences that run at the same time
/// @param goal what the plan should be best at
/// @param limits the most that the plan may take
/// @since 0.1
public record ServingRequest(
        ModelArchitecture architecture,
        String format,
        int input,
        int output,
        int concurrency,
        ServingGoal goal,
        ServingLimits limits) {
    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException unless all are at least 1
    public ServingRequest {
        if (input < 1 || output < 1 || concurrency < 1) {
            throw new IllegalArgumentException("a request has at least one token in, one out, and one sequence");
        }
    }

    /// A request without limits.
    public ServingRequest(
            ModelArchitecture architecture, String format, int input, int output, int concurrency, ServingGoal goal) {
        this(architecture, format, input, output, concurrency, goal, ServingLimits.NONE);
    }

    /// Tokens of a sequence when it is complete.
    int tokens() {
        return input + output;
    }

    /// Tokens that a sequence holds on average while it is answered.
    double meanContext() {
        return input + output / 2.0;
    }

    /// The same with weights of another format.
    public ServingRequest withFormat(String other) {
        return new ServingRequest(architecture, other, input, output, concurrency, goal, limits);
    }

    /// The same with another number of sequences.
    public ServingRequest withConcurrency(int other) {
        return new ServingRequest(architecture, format, input, output, other, goal, limits);
    }

    /// The same with prompts of another length.
    public ServingRequest withInput(int other) {
        return new ServingRequest(architecture, format, other, output, concurrency, goal, limits);
    }

    /// The same with other limits.
    public ServingRequest withLimits(ServingLimits other) {
        return new ServingRequest(architecture, format, input, output, concurrency, goal, other);
    }

    /// The same with another goal.
    public ServingRequest withGoal(ServingGoal other) {
        return new ServingRequest(architecture, format, input, output, concurrency, other, limits);
    }

    /// The same with so many tokens in all, two at least; the answer keeps its length where it can.
    ServingRequest withTokens(int total) {
        int answer = Math.min(output, total - 1);
        return new ServingRequest(architecture, format, total - answer, answer, concurrency, goal, limits);
    }
}
