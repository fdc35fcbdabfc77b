// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.model.ModelSummary;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingLimits;
import dev.muster.plan.serving.ServingRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The options of a serving request.
final class ServingOptions {
    static final OptionSpec CONTEXT =
            OptionSpec.value("context", "TOKENS", "tokens of a prompt and its answer together; 4096 unless said");
    static final OptionSpec GENERATE =
            OptionSpec.value("generate", "TOKENS", "tokens of the answer; 256 unless said, or half of a short context");
    static final OptionSpec CONCURRENCY = OptionSpec.value(
            "concurrency", "COUNT", "sequences at the same time; 1 unless said, with --emit as many as fit");
    static final OptionSpec GOAL = OptionSpec.choice(
            "goal",
            "WHAT",
            ServingGoal.labels(),
            "be best at throughput, latency, devices, memory, cost or energy; else latency for one sequence,"
                    + " throughput for more, devices for a load with targets");
    static final OptionSpec ENGINE = OptionSpec.choice(
            "engine",
            "NAME",
            ServingEngine.labels(),
            String.join(", ", ServingEngine.labels()) + "; else the usual one");
    /// The same option as that of levels, with more to choose from.
    static final OptionSpec FORMAT = OptionSpec.value(
            "quant",
            "FORMAT",
            "weight format: bf16, fp8, int4, nvfp4, q4_k_m ..., or several with commas; as published unless said;"
                    + " with --rules a level");
    static final OptionSpec MAX_TTFT = OptionSpec.value(
            "max-ttft",
            "TIME",
            "the most time to first token (TTFT), with all sequences arriving together; under load" + " say --ttft");
    static final OptionSpec MAX_TPOT = OptionSpec.value(
            "max-tpot", "TIME", "the most time per output token (TPOT), such as 30ms; under load say --tpot");
    static final OptionSpec BUDGET =
            OptionSpec.value("budget", "USD", "the most dollars per hour, were the machines rented on demand");
    static final OptionSpec PARETO = OptionSpec.flag(
            "pareto",
            "show the plans that no other beats in everything; under load in tokens/s of a user and of a" + " device");
    static final OptionSpec EXPLAIN =
            OptionSpec.flag("explain", "show the arithmetic: memory, time, and what each number rests on");
    static final OptionSpec OFFLOAD = OptionSpec.flag(
            "offload", "llama.cpp may leave layers and experts in the memory of the host that fit nowhere else");

    static final List<OptionSpec> OPTIONS = List.of(
            CONTEXT,
            GENERATE,
            CONCURRENCY,
            GOAL,
            MAX_TTFT,
            MAX_TPOT,
            BUDGET,
            PARETO,
            EXPLAIN,
            ENGINE,
            Catalogues.PRICES);

    private static final Duration LEAST_TIME = Duration.ofMillis(1);
    private static final Duration MOST_TIME = Duration.ofMinutes(10);
    private static final double NANOS = 1e9;
    private static final int MAX_DIGITS = 12;

    private ServingOptions() {}

    /// Returns the request.
    ///
    /// @throws UsageException if an option makes no sense
    static ServingRequest request(Arguments arguments, ModelSummary model) {
        int context = Numbers.whole(arguments, CONTEXT, ServingRequest.DEFAULT_CONTEXT, 2);
        int output = Numbers.whole(arguments, GENERATE, Math.min(ServingRequest.DEFAULT_OUTPUT, context / 2), 1);
        if (output >= context) {
            throw new UsageException("--generate " + output + " leaves no token of --context " + context
                    + " for the prompt; the context is prompt and answer together");
        }
        int concurrency = Numbers.whole(arguments, CONCURRENCY, 1, 1);
        ServingGoal usual =
                concurrency == 1 && !isForWhoeverComes(arguments) ? ServingGoal.LATENCY : ServingGoal.THROUGHPUT;
        ServingRequest request = ServingRequest.of(model)
                .withTokens(context - output, output)
                .withConcurrency(concurrency)
                .withGoal(arguments.find(GOAL).flatMap(ServingGoal::find).orElse(usual))
                .withLimits(new ServingLimits(
                        seconds(arguments, MAX_TTFT), seconds(arguments, MAX_TPOT), budget(arguments)));
        return withFormat(arguments, request);
    }

    /// Reports whether as many sequences as fit are planned for: what is started without a word on how many there
    /// will be.
    static boolean isForWhoeverComes(Arguments arguments) {
        return EmitOption.isAsked(arguments) && !arguments.has(CONCURRENCY);
    }

    /// Returns the request with the weight format that the options name first.
    static ServingRequest withFormat(Arguments arguments, ServingRequest request) {
        List<WeightFormat> formats = arguments.readAll(FORMAT, WeightFormat::parse);
        return formats.isEmpty() ? request : request.withFormat(formats.getFirst());
    }

    /// Returns the planner's choices.
    ///
    /// @throws UsageException if an option makes no sense
    static ServingChoices choices(Arguments arguments) {
        Optional<ServingEngine> engine = arguments
                .find(ENGINE)
                .flatMap(ServingEngine::find)
                .or(() -> EmitOption.findTarget(arguments).flatMap(target -> target.findEngine()));
        boolean offload = arguments.has(OFFLOAD);
        if (offload && engine.isPresent() && engine.get() != ServingEngine.LLAMA_CPP) {
            throw new UsageException("--offload is what llama.cpp can do; ask for it with --engine llama.cpp");
        }
        return new ServingChoices(
                engine, arguments.readAll(FORMAT, WeightFormat::parse), offload, arguments.has(PARETO));
    }

    private static double seconds(Arguments arguments, OptionSpec option) {
        return arguments
                .find(option)
                .map(text -> DurationGrammar.parse(option, text, LEAST_TIME, MOST_TIME)
                                .toNanos()
                        / NANOS)
                .orElse(Double.POSITIVE_INFINITY);
    }

    static double budget(Arguments arguments) {
        return arguments
                .find(BUDGET)
                .map(text -> Numbers.plain(text, MAX_DIGITS)
                        .filter(dollars -> dollars > 0)
                        .orElseThrow(() -> BUDGET.isNot("dollars per hour above 0, such as 20 or 12.50", text)))
                .orElse(Double.POSITIVE_INFINITY);
    }
}
