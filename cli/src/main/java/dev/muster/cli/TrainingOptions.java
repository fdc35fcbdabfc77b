// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.model.ModelSummary;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.training.OffloadStore.Place;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingGoal;
import dev.muster.plan.training.TrainingLimits;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPrecision;
import dev.muster.plan.training.TrainingRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The options of a training request.
final class TrainingOptions {
    static final OptionSpec SEQUENCE = OptionSpec.value("seq", "TOKENS", "tokens of a sequence; 4096 unless said");
    static final OptionSpec BATCH = OptionSpec.value(
            "batch", "COUNT", "global batch: sequences of a step over all devices; 256 unless said, 16 for adapters");
    static final OptionSpec RANK = OptionSpec.value("rank", "NUMBER", "rank of adapters; 16 unless said");
    static final OptionSpec PRECISION = OptionSpec.choice(
            "precision",
            "FORMAT",
            TrainingPrecision.labels(),
            "what products compute in: bf16 (default), fp8, mxfp8 or nvfp4");
    static final OptionSpec GOAL = OptionSpec.choice(
            "goal",
            "WHAT",
            List.of("speed", "cost", "devices", "energy"),
            "be best at speed (default), cost (device time per token), devices (the fewest) or energy (per token)");
    static final OptionSpec FRAMEWORK = OptionSpec.choice(
            "framework",
            "NAME",
            TrainingFramework.labels(),
            "megatron, torchtitan, pytorch, maxtext, megatron-deepspeed or neuronx-distributed; else the usual one");
    static final OptionSpec TOKENS = OptionSpec.value(
            "tokens", "COUNT", "tokens of the whole training, such as 300B or 15T: tells days, energy and cost");
    static final OptionSpec DEADLINE =
            OptionSpec.value("deadline", "TIME", "the most time for those tokens, such as 30d or 12h");
    static final OptionSpec BUDGET =
            OptionSpec.value("budget", "USD", "the most dollars for those tokens, were the machines rented on demand");
    static final OptionSpec OFFLOAD = OptionSpec.choice(
            "offload",
            "WHAT",
            Arrays.stream(Offload.values()).map(Offload::label).toList(),
            "what may lie outside of the devices: none (default), optimizer (its states) or all (weights and gradients"
                    + " too)");
    static final OptionSpec OFFLOAD_TO = OptionSpec.choice(
            "offload-to",
            "WHERE",
            Arrays.stream(Place.values()).map(Place::label).toList(),
            "where that lies: host (its memory, the default) or disk (its drives)");
    static final OptionSpec DISK_BANDWIDTH = OptionSpec.value(
            "disk-bandwidth",
            "GB/S",
            "how fast the drives of a host are together, in 10^9 bytes per second; else as its fastest drive says");

    static final List<OptionSpec> OPTIONS = Stream.of(
                    List.of(SEQUENCE, BATCH, RANK, PRECISION, GOAL, FRAMEWORK),
                    List.of(PlannerOptions.HOSTS, PlannerOptions.COLLECTIVES, ServingOptions.EXPLAIN),
                    List.of(TOKENS, DEADLINE, BUDGET, Catalogues.PRICES),
                    List.of(OFFLOAD, OFFLOAD_TO, PlannerOptions.HOST_BANDWIDTH, DISK_BANDWIDTH))
            .flatMap(List::stream)
            .toList();

    private static final Duration LEAST_TIME = Duration.ofMinutes(1);
    private static final Duration MOST_TIME = Duration.ofDays(3650);
    private static final int MAX_DIGITS = 12;
    private static final double MOST_TOKENS = 1e18;
    private static final double MOST_USD = 1e12;

    private TrainingOptions() {}

    /// Returns the request.
    ///
    /// @throws UsageException if an option makes no sense
    static TrainingRequest request(Arguments arguments, ModelSummary model, TrainingMethod method) {
        if (!method.hasRank()) {
            arguments.refuse(List.of(RANK), "only adapters (lora, qlora) have a rank");
        }
        TrainingRequest usual = TrainingRequest.of(model, method);
        return usual.withRank(Numbers.whole(arguments, RANK, TrainingRequest.DEFAULT_RANK, 1))
                .withPrecision(arguments
                        .find(PRECISION)
                        .flatMap(TrainingPrecision::find)
                        .orElse(TrainingPrecision.BF16))
                .withSequence(Numbers.whole(arguments, SEQUENCE, usual.sequence(), 1))
                .withBatch(Numbers.whole(arguments, BATCH, usual.batch(), 1))
                .withGoal(TrainingGoal.valueOf(
                        arguments.find(GOAL).orElse("speed").toUpperCase(Locale.ROOT)))
                .withOffload(offload(arguments))
                .withLimits(limits(arguments));
    }

    /// Reports whether what lies outside of devices lies on drives.
    static boolean isOnDrives(Arguments arguments) {
        return arguments.find(OFFLOAD_TO).filter(Place.DISK.label()::equals).isPresent();
    }

    private static Offload offload(Arguments arguments) {
        Offload most =
                arguments.choose(OFFLOAD, Offload.values(), Offload::label).orElse(Offload.NONE);
        if (most == Offload.NONE) {
            arguments.refuse(
                    List.of(OFFLOAD_TO, PlannerOptions.HOST_BANDWIDTH, DISK_BANDWIDTH),
                    "nothing lies outside of the devices without --offload optimizer or all");
        }
        return most;
    }

    private static TrainingLimits limits(Arguments arguments) {
        if (!arguments.has(TOKENS)) {
            arguments.refuse(List.of(DEADLINE, BUDGET), "a whole training has --tokens, which are missing");
            return TrainingLimits.NONE;
        }
        return new TrainingLimits(
                tokens(arguments.find(TOKENS).orElseThrow()),
                arguments
                        .find(DEADLINE)
                        .map(text -> (double) DurationGrammar.parse(DEADLINE, text, LEAST_TIME, MOST_TIME)
                                .toSeconds())
                        .orElse(Double.POSITIVE_INFINITY),
                arguments.find(BUDGET).map(TrainingOptions::dollars).orElse(Double.POSITIVE_INFINITY));
    }

    private static double tokens(String text) {
        double unit = text.isEmpty()
                ? 1
                : switch (text.charAt(text.length() - 1)) {
                    case 'K', 'k' -> 1e3;
                    case 'M', 'm' -> 1e6;
                    case 'B', 'b', 'G', 'g' -> 1e9;
                    case 'T', 't' -> 1e12;
                    default -> 1;
                };
        String digits = unit == 1 ? text : text.substring(0, text.length() - 1);
        double tokens = unit * Numbers.plain(digits, MAX_DIGITS).orElse(0.0);
        if (tokens >= 1 && tokens <= MOST_TOKENS) {
            return tokens;
        }
        throw TOKENS.isNot("a number of tokens from 1 to 10^18, such as 300B or 15T", text);
    }

    private static double dollars(String text) {
        return Numbers.plain(text, MAX_DIGITS)
                .filter(usd -> usd > 0 && usd <= MOST_USD)
                .orElseThrow(() -> BUDGET.isNot("dollars above 0, such as 500 or 120000", text));
    }
}
