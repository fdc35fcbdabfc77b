// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.cost.ErrorInterval;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The effect of a load on a deployment, simulated request by request.
///
/// @param plan plan of the replicas, without the load
/// @param replicas number of replicas; those for prefill if decode is disaggregated
/// @param decodeReplicas number of replicas for decode only
/// @param scheduler scheduling of the engine
/// @param kvTokens capacity of a replica's KV cache, in tokens
/// @param figures figures of clients
/// @param intervals intervals of measured values around the figures
/// @param longest tokens of the longest request, prompt and answer together
/// @param kvUse held share of all KV caches, over equal periods
/// @param running running sequences, over the same periods
/// @param pieceSeconds seconds of a period
/// @param mostKvUse peak use of one KV cache, as a share
/// @param preemptions number of preemptions because the KV cache was full
/// @param recomputedTokens tokens lost by them
/// @param rejected requests that no replica can hold
/// @param draft draft tokens of each step; 0 for none
/// @param notes basis of the answer
/// @since 0.1
public record ServingSimulation(
        ServingPlan plan,
        int replicas,
        int decodeReplicas,
        Scheduler scheduler,
        long kvTokens,
        Figures figures,
        Intervals intervals,
        long longest,
        List<Double> kvUse,
        List<Double> running,
        double pieceSeconds,
        double mostKvUse,
        int preemptions,
        long recomputedTokens,
        int rejected,
        int draft,
        List<PlanNote> notes) {
    /// Copies the lists.
    public ServingSimulation {
        kvUse = List.copyOf(kvUse);
        running = List.copyOf(running);
        notes = List.copyOf(notes);
    }

    /// Reports whether more than nine of ten requests keep all targets and the load is stable; true if there are no
    /// targets.
    public boolean keeps(Slo targets) {
        return !targets.isAny() || (figures.isStable() && figures.good() > 0.9 * (figures.answered() + rejected));
    }

    /// Returns the simulation for a multiple of the replicas, which all behave alike.
    ///
    /// @param all figures of the clients of all
    public ServingSimulation times(int count, Figures all) {
        return new ServingSimulation(
                plan,
                count * replicas,
                count * decodeReplicas,
                scheduler,
                kvTokens,
                all,
                intervals,
                longest,
                kvUse,
                running.stream().map(some -> count * some).toList(),
                pieceSeconds,
                mostKvUse,
                count * preemptions,
                count * recomputedTokens,
                count * rejected,
                draft,
                notes);
    }

    /// Returns the knee of a curve: the load with the most tokens per second for each second that a request takes.
    /// Beyond it requests take longer with little more throughput. Empty if there is none.
    public static Optional<LoadPoint> findKnee(List<LoadPoint> curve) {
        LoadPoint best = null;
        for (LoadPoint point : curve) {
            if (best == null || point.power() > best.power()) {
                best = point;
            }
        }
        return Optional.ofNullable(best);
    }

    /// The scheduling of an engine.
    ///
    /// @param release first release with this scheduling
    /// @param prompts `mixed` with sequences in decode, `alone`, or in a static `batch`
    /// @param isChunked true if prompts are cut at the token budget
    /// @param tokenBudget largest number of tokens of a step
    /// @param maxSequences largest number of running sequences
    /// @param source source of these facts
    public record Scheduler(
            String release, String prompts, boolean isChunked, int tokenBudget, int maxSequences, String source) {}

    /// The figures of clients under a load.
    ///
    /// @param answered requests that were answered and count
    /// @param outputTokens tokens of their answers
    /// @param seconds from the first request to the last token
    /// @param timeToFirstToken seconds to the first token (TTFT)
    /// @param timePerOutputToken seconds per token behind the first (TPOT)
    /// @param latency seconds to the last token
    /// @param good requests that met all targets
    /// @param isStable false if requests arrive faster than they are answered, so that their queue grows
    public record Figures(
            int answered,
            long outputTokens,
            double seconds,
            Spread timeToFirstToken,
            Spread timePerOutputToken,
            Spread latency,
            int good,
            boolean isStable) {
        /// Returns the output tokens per second.
        public double tokensPerSecond() {
            return seconds == 0 ? 0 : outputTokens / seconds;
        }

        /// Returns the requests per second.
        public double requestsPerSecond() {
            return seconds == 0 ? 0 : answered / seconds;
        }

        /// Returns the requests per second that met all targets.
        public double goodput() {
            return seconds == 0 ? 0 : good / seconds;
        }
    }

    /// Intervals of measured values around the figures of a simulation.
    ///
    /// @param timeToFirstToken of the time to the first token
    /// @param timePerOutputToken of the time per token behind the first, and of the latency
    /// @param throughput of tokens and requests per second
    public record Intervals(
            ErrorInterval timeToFirstToken, ErrorInterval timePerOutputToken, ErrorInterval throughput) {
        /// Returns the interval of a metric.
        public ErrorInterval of(Slo.LatencyMetric metric) {
            return switch (metric) {
                case TTFT -> timeToFirstToken;
                case TPOT, LATENCY -> timePerOutputToken;
            };
        }
    }

    /// A distribution, in seconds; all 0 if it is empty. All 0 if there is nothing.
    ///
    /// @param mean the mean
    /// @param p50 the median
    /// @param p90 the 90th percentile
    /// @param p99 the 99th percentile
    public record Spread(double mean, double p50, double p90, double p99) {}

    /// One of several loads on the same deployment.
    ///
    /// @param load users, or requests per second
    /// @param figures figures of clients
    public record LoadPoint(double load, Figures figures) {
        private double power() {
            double latency = figures.latency().mean();
            return latency == 0 ? 0 : figures.tokensPerSecond() / latency;
        }
    }

    /// A deployment simulated under load: layout of its replicas, options of its engine, and figures of clients.
    ///
    /// @param simulation plan of its replicas, and the effect of the load
    /// @param options options of the engine that are not defaults, by its own names
    /// @param missed objectives that it misses
    public record DeploymentPlan(
            ServingSimulation simulation, Map<String, String> options, List<Slo.Objective> missed) {
        /// Copies options and objectives.
        public DeploymentPlan {
            options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
            missed = List.copyOf(missed);
        }

        /// Returns the plan of the replicas.
        public ServingPlan plan() {
            return simulation.plan();
        }

        /// Returns the figures of clients.
        public Figures figures() {
            return simulation.figures();
        }

        /// Reports whether prefill and decode are disaggregated.
        public boolean isDisaggregated() {
            return simulation.decodeReplicas() > 0;
        }

        /// Reports whether it keeps all objectives, rejects no request, and is stable.
        public boolean isAccepted() {
            return missed.isEmpty() && figures().isStable() && simulation.rejected() == 0;
        }

        /// Returns the output tokens per second for each device.
        public double tokensPerSecondPerDevice() {
            return figures().tokensPerSecond() / plan().devices();
        }

        /// Returns the interactivity: tokens per second that a user sees, by the median time per output token; 0 if
        /// no answer has two tokens.
        public double tokensPerSecondPerUser() {
            double each = figures().timePerOutputToken().p50();
            return each == 0 ? 0 : 1 / each;
        }

        /// Returns the Pareto front in tokens per second of each user and of each device, the most interactive first.
        /// Deployments that reject a request or are not stable are not among them.
        public static List<DeploymentPlan> front(List<DeploymentPlan> plans) {
            List<DeploymentPlan> sorted = new ArrayList<>(plans);
            sorted.removeIf(
                    plan -> plan.simulation.rejected() > 0 || !plan.figures().isStable());
            sorted.sort(Comparator.comparingDouble(DeploymentPlan::tokensPerSecondPerUser)
                    .thenComparingDouble(DeploymentPlan::tokensPerSecondPerDevice)
                    .reversed());
            List<DeploymentPlan> front = new ArrayList<>();
            double most = 0;
            for (DeploymentPlan plan : sorted) {
                if (plan.tokensPerSecondPerDevice() > most) {
                    most = plan.tokensPerSecondPerDevice();
                    front.add(plan);
                }
            }
            return front;
        }
    }
}
