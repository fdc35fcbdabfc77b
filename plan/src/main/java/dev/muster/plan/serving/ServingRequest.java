// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelSummary;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.serving.Slo.LatencyMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A request for a serving plan.
///
/// @param model the model
/// @param format weight format
/// @param input tokens of a prompt
/// @param output tokens of an answer
/// @param concurrency number of concurrent sequences
/// @param goal goal of the plan
/// @param slo limits of latencies; the predicted means count, of the time to the first token that of sequences that all
/// arrive together
/// @param usdPerHour most US dollars for an hour of the rented machines; empty for no budget
/// @param kvBits bits of a number of the KV cache, 8 or 16; 0 for those of the engine with the format
/// @param limitsContext true if a server admits no longer sequences than these; else as long ones as the model allows
/// and
/// memory permits
/// @param images images of each prompt, whose tokens are part of its input
/// @since 0.1
public record ServingRequest(
        ModelSummary model,
        WeightFormat format,
        int input,
        int output,
        int concurrency,
        ServingGoal goal,
        Slo slo,
        Optional<Double> usdPerHour,
        int kvBits,
        boolean limitsContext,
        ImageInput images) {
    /// Default tokens of a prompt and its answer.
    public static final int DEFAULT_CONTEXT = 4096;
    /// Default tokens of an answer.
    public static final int DEFAULT_OUTPUT = 256;

    /// The largest default number of concurrent sequences of a server: the default of vLLM.
    public static final int MOST_SEQUENCES = 256;

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException unless tokens and sequences are at least 1, the budget is above 0, and
    /// bits are 0, 8 or 16
    public ServingRequest {
        if (input < 1 || output < 1 || concurrency < 1) {
            throw new IllegalArgumentException("a request has at least one token in, one out, and one sequence");
        }
        if (!usdPerHour.map(dollars -> dollars > 0).orElse(true)) {
            throw new IllegalArgumentException("a limit is above 0");
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
                WeightFormat.findPublished(model.architecture()).orElse(StandardFormat.BF16),
                DEFAULT_CONTEXT - DEFAULT_OUTPUT,
                DEFAULT_OUTPUT,
                1,
                ServingGoal.LATENCY,
                Slo.NONE,
                Optional.empty(),
                0,
                false,
                ImageInput.NONE);
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
        return new ServingRequest(
                model, other, input, output, concurrency, goal, slo, usdPerHour, kvBits, limitsContext, images);
    }

    /// Returns a copy with another number of sequences.
    public ServingRequest withConcurrency(int other) {
        return new ServingRequest(
                model, format, input, output, other, goal, slo, usdPerHour, kvBits, limitsContext, images);
    }

    /// Returns a copy with prompts and answers of other lengths.
    public ServingRequest withTokens(int inputTokens, int outputTokens) {
        return new ServingRequest(
                model,
                format,
                inputTokens,
                outputTokens,
                concurrency,
                goal,
                slo,
                usdPerHour,
                kvBits,
                limitsContext,
                images);
    }

    /// Returns a copy with prompts of another length.
    public ServingRequest withInput(int other) {
        return withTokens(other, output);
    }

    /// Returns a copy with images in each prompt, beside its tokens.
    ///
    /// @throws ArithmeticException if the prompt has more tokens than an int holds
    public ServingRequest withImages(ImageInput other) {
        int longer = Math.addExact(input, Math.toIntExact(other.tokens()));
        return new ServingRequest(
                model, format, longer, output, concurrency, goal, slo, usdPerHour, kvBits, limitsContext, other);
    }

    /// Returns a copy with other limits of latencies.
    public ServingRequest withSlo(Slo other) {
        return new ServingRequest(
                model, format, input, output, concurrency, goal, other, usdPerHour, kvBits, limitsContext, images);
    }

    /// Returns a copy with another budget, in US dollars an hour.
    public ServingRequest withBudget(double dollars) {
        return new ServingRequest(
                model,
                format,
                input,
                output,
                concurrency,
                goal,
                slo,
                Optional.of(dollars),
                kvBits,
                limitsContext,
                images);
    }

    /// Reports whether there is a budget.
    public boolean hasBudget() {
        return usdPerHour.isPresent();
    }

    /// Reports whether there is a limit of latency or price.
    public boolean isLimited() {
        return slo.isAny() || hasBudget();
    }

    /// Returns the limits that predictions exceed.
    public List<Breach> breaches(double firstTokenSeconds, double perTokenSeconds, double dollars) {
        List<Breach> breaches = new ArrayList<>();
        slo.findSeconds(LatencyMetric.TTFT).ifPresent(most -> add(breaches, Limit.TTFT, most, firstTokenSeconds));
        slo.findSeconds(LatencyMetric.TPOT).ifPresent(most -> add(breaches, Limit.TPOT, most, perTokenSeconds));
        usdPerHour.ifPresent(most -> add(breaches, Limit.USD_PER_HOUR, most, dollars));
        return breaches;
    }

    private static void add(List<Breach> breaches, Limit limit, double allowed, double predicted) {
        if (predicted > allowed) {
            breaches.add(new Breach(limit, allowed, predicted));
        }
    }

    /// Returns a copy with another goal.
    public ServingRequest withGoal(ServingGoal other) {
        return new ServingRequest(
                model, format, input, output, concurrency, other, slo, usdPerHour, kvBits, limitsContext, images);
    }

    /// Returns a copy with other bits of the KV cache; 0 for those of the engine with the format.
    public ServingRequest withKvBits(int other) {
        return new ServingRequest(
                model, format, input, output, concurrency, goal, slo, usdPerHour, other, limitsContext, images);
    }

    /// Returns a copy whose tokens are the longest sequence that a server admits.
    public ServingRequest withContextLimit() {
        return new ServingRequest(
                model, format, input, output, concurrency, goal, slo, usdPerHour, kvBits, true, images);
    }

    /// Returns a copy with another total number of tokens, at least two; the answer keeps its length if possible.
    public ServingRequest withTokens(int total) {
        int answer = Math.min(output, total - 1);
        return withTokens(total - answer, answer);
    }

    /// A kind of limit.
    public enum Limit {
        /// The time to the first token.
        TTFT("time-to-first-token"),
        /// The time per output token.
        TPOT("time-per-output-token"),
        /// US dollars for an hour.
        USD_PER_HOUR("usd-per-hour");

        private final String label;

        Limit(String label) {
            this.label = label;
        }

        /// Returns the name in documents.
        public String label() {
            return label;
        }
    }

    /// A limit that a plan exceeds.
    ///
    /// @param limit the limit
    /// @param allowed its value, in seconds or dollars
    /// @param predicted predicted value
    public record Breach(Limit limit, double allowed, double predicted) {
        /// Returns the excess, as a share of the limit.
        public double excess() {
            return predicted / allowed - 1;
        }
    }
}
