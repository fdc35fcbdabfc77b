// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.model.ModelSummary;
import dev.muster.plan.serving.LatencyTargets.ServiceLevel;
import dev.muster.plan.serving.LatencyTargets.ServiceLevel.Metric;
import dev.muster.plan.serving.LatencyTargets.ServiceLevel.Objective;
import dev.muster.plan.serving.LatencyTargets.ServiceLevel.Statistic;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.SimulationRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The options of a deployment: those of a simulation that define the load, and objectives.
final class DeploymentOptions {
    static final OptionSpec TTFT = OptionSpec.value(
            "ttft",
            "TARGET",
            "under load: time to first token over all requests, such as p99=800ms (p50, p90, p99 or mean; a time alone"
                    + " is p99); several with commas");
    static final OptionSpec TPOT =
            OptionSpec.value("tpot", "TARGET", "under load: time per output token, such as p99=40ms");
    static final OptionSpec LATENCY =
            OptionSpec.value("latency", "TARGET", "under load: end-to-end latency, such as p90=20s");

    private static final Duration LEAST_TIME = Duration.ofMillis(1);
    private static final Duration MOST_TIME = Duration.ofHours(1);
    private static final double NANOS = 1e9;

    private DeploymentOptions() {}

    private static List<OptionSpec> loads() {
        return List.of(
                SimulationOptions.USERS, SimulationOptions.RATE, SimulationOptions.BURST, SimulationOptions.TRACE);
    }

    private static List<OptionSpec> details() {
        return List.of(
                TTFT,
                TPOT,
                LATENCY,
                SimulationOptions.INPUT,
                SimulationOptions.SPREAD,
                SimulationOptions.REQUESTS,
                SimulationOptions.WARM_UP,
                SimulationOptions.LINK,
                SimulationOptions.PREFIX_HIT,
                SimulationOptions.SPECULATIVE,
                SimulationOptions.ENGINE_OPTIONS,
                SimulationOptions.SEED);
    }

    static List<OptionSpec> all() {
        List<OptionSpec> all = new ArrayList<>(loads());
        all.addAll(details());
        return all;
    }

    /// Reports whether a plan is for a load.
    ///
    /// @throws UsageException if it is not, and an option says more of one; or if it is, and an option is for plans
    /// without
    static boolean isAsked(Arguments arguments) {
        if (!arguments.hasAny(loads())) {
            arguments.refuse(details(), "a load is --users, --rate, --burst or --trace, and there is none");
            return false;
        }
        arguments.refuse(
                List.of(ServingOptions.CONTEXT), "under load prompts have --input tokens and answers --generate");
        arguments.refuse(List.of(ServingOptions.CONCURRENCY), "the load says how many sequences there are");
        arguments.refuse(
                List.of(ServingOptions.MAX_TTFT, ServingOptions.MAX_TPOT),
                "under load limits are over all requests, as in --ttft p99=800ms --tpot p99=40ms");
        arguments.refuse(
                List.of(ServingOptions.EXPLAIN), "what a simulation adds up, request by request, is not explained");
        arguments.refuse(List.of(ServingOptions.OFFLOAD), "loads are played through devices alone");
        return true;
    }

    /// Returns the load, with goal and budget.
    ///
    /// @throws UsageException if an option makes no sense
    /// @throws CommandException if a trace cannot be read
    static SimulationRequest request(Arguments arguments, ModelSummary model, ServiceLevel level) {
        SimulationRequest asked = SimulationOptions.request(arguments, model);
        ServingGoal usual = level.isAny() ? ServingGoal.DEVICES : ServingGoal.THROUGHPUT;
        ServingRequest serving = asked.serving()
                .withGoal(arguments
                        .find(ServingOptions.GOAL)
                        .flatMap(ServingGoal::find)
                        .orElse(usual));
        return asked.withServing(serving.withLimits(serving.limits().withUsdPerHour(ServingOptions.budget(arguments))));
    }

    /// Returns the objectives.
    ///
    /// @throws UsageException if an option makes no sense
    static ServiceLevel level(Arguments arguments) {
        List<Objective> objectives = new ArrayList<>();
        add(objectives, arguments, TTFT, Metric.TTFT);
        add(objectives, arguments, TPOT, Metric.TPOT);
        add(objectives, arguments, LATENCY, Metric.LATENCY);
        return new ServiceLevel(objectives);
    }

    private static void add(List<Objective> objectives, Arguments arguments, OptionSpec option, Metric metric) {
        arguments.find(option).ifPresent(text -> {
            for (String part : text.split(",", -1)) {
                int equals = part.indexOf('=');
                Statistic statistic = equals < 0
                        ? Statistic.P99
                        : Statistic.find(part.substring(0, equals).strip())
                                .orElseThrow(() -> option.isNot("p50, p90, p99 or mean, as in p99=800ms", text));
                Duration time =
                        DurationGrammar.parse(option, part.substring(equals + 1).strip(), LEAST_TIME, MOST_TIME);
                objectives.add(new Objective(metric, statistic, time.toNanos() / NANOS));
            }
        });
    }
}
