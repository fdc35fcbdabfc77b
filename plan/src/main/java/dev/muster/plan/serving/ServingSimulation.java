// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a load does to a deployment, played through request by request.
///
/// @param plan how the replicas are laid out, without the load
/// @param replicas replicas; those that prefill where decoding is apart
/// @param decodeReplicas replicas that decode only
/// @param scheduler how the engine schedules
/// @param kvTokens tokens that the KV cache of a replica holds
/// @param figures what clients see
/// @param kvUse share of all KV caches that is held, over equal pieces of time
/// @param running sequences that run, over the same pieces of time
/// @param pieceSeconds seconds of a piece of time
/// @param mostKvUse the most of one KV cache that was held, as a share
/// @param preemptions how often a sequence gave way because the KV cache was full
/// @param recomputedTokens tokens that were computed and lost by that
/// @param rejected requests that no replica can hold
/// @param notes what all of it rests on, for people, a sentence each
/// @since 0.1
public record ServingSimulation(
        ServingPlan plan,
        int replicas,
        int decodeReplicas,
        Scheduler scheduler,
        long kvTokens,
        Figures figures,
        List<Double> kvUse,
        List<Double> running,
        double pieceSeconds,
        double mostKvUse,
        int preemptions,
        long recomputedTokens,
        int rejected,
        List<String> notes) {
    /// Copies the lists.
    public ServingSimulation {
        kvUse = List.copyOf(kvUse);
        running = List.copyOf(running);
        notes = List.copyOf(notes);
    }

    /// Whether more than nine of ten requests keep all targets; true where there are none.
    public boolean keeps(LatencyTargets targets) {
        return !targets.isAny() || figures.good() > 0.9 * (figures.answered() + rejected);
    }

    /// The same for so many times the replicas, which all do as these.
    ///
    /// @param all what the clients of all see
    public ServingSimulation times(int count, Figures all) {
        return new ServingSimulation(
                plan,
                count * replicas,
                count * decodeReplicas,
                scheduler,
                kvTokens,
                all,
                kvUse,
                running.stream().map(some -> count * some).toList(),
                pieceSeconds,
                mostKvUse,
                count * preemptions,
                count * recomputedTokens,
                count * rejected,
                notes);
    }

    /// The knee of a curve: the load with the most tokens per second for each second that a request takes. Beyond it
    /// requests take longer without much more being answered. Empty where no load is.
    public static Optional<Point> findKnee(List<Point> curve) {
        Point best = null;
        for (Point point : curve) {
            if (best == null || point.power() > best.power()) {
                best = point;
            }
        }
        return Optional.ofNullable(best);
    }

    /// How an engine schedules.
    ///
    /// @param release the release since which it does so
    /// @param prompts `mixed` with sequences that decode, `alone`, or in a fixed `batch`
    /// @param isChunked whether prompts are cut where the token budget ends
    /// @param tokenBudget tokens of a step at most
    /// @param maxSequences sequences that run at most
    /// @param source where it was read
    public record Scheduler(
            String release, String prompts, boolean isChunked, int tokenBudget, int maxSequences, String source) {}

    /// What clients see of a load.
    ///
    /// @param answered requests that were answered and count
    /// @param outputTokens tokens of their answers
    /// @param seconds from the first request to the last token
    /// @param timeToFirstToken seconds to the first token (TTFT)
    /// @param timePerOutputToken seconds per token behind the first (TPOT)
    /// @param latency seconds to the last token
    /// @param good requests that kept all targets
    public record Figures(
            int answered,
            long outputTokens,
            double seconds,
            Spread timeToFirstToken,
            Spread timePerOutputToken,
            Spread latency,
            int good) {
        /// Output tokens per second.
        public double tokensPerSecond() {
            return seconds == 0 ? 0 : outputTokens / seconds;
        }

        /// Requests per second.
        public double requestsPerSecond() {
            return seconds == 0 ? 0 : answered / seconds;
        }

        /// Requests per second that kept all targets.
        public double goodput() {
            return seconds == 0 ? 0 : good / seconds;
        }
    }

    /// A distribution, in seconds. All 0 where there is nothing.
    ///
    /// @param mean the mean
    /// @param p50 the median
    /// @param p90 nine tenths are below
    /// @param p99 all but a hundredth are below
    public record Spread(double mean, double p50, double p90, double p99) {}

    /// One load of several that the same deployment was put under.
    ///
    /// @param load users, or requests per second
    /// @param figures what clients see
    public record Point(double load, Figures figures) {
        private double power() {
            double latency = figures.latency().mean();
            return latency == 0 ? 0 : figures.tokensPerSecond() / latency;
        }
    }

    /// A deployment that was played through under load: how its replicas are laid out, the options of its
    /// engine, and what clients see.
    ///
    /// @param simulation the plan of its replicas, and what the load does to them
    /// @param options options of the engine that are not its defaults, by its own names
    /// @param missed objectives that it does not keep
    public record DeploymentPlan(
            ServingSimulation simulation,
            Map<String, String> options,
            List<LatencyTargets.ServiceLevel.Objective> missed) {
        /// Copies options and objectives.
        public DeploymentPlan {
            options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
            missed = List.copyOf(missed);
        }

        /// How the replicas are laid out.
        public ServingPlan plan() {
            return simulation.plan();
        }

        /// What clients see.
        public Figures figures() {
            return simulation.figures();
        }

        /// Whether prefill and decode are apart.
        public boolean isDisaggregated() {
            return simulation.decodeReplicas() > 0;
        }

        /// Whether it keeps all objectives and refuses no request.
        public boolean isAccepted() {
            return missed.isEmpty() && simulation.rejected() == 0;
        }

        /// Output tokens per second for each device.
        public double tokensPerSecondPerDevice() {
            return figures().tokensPerSecond() / plan().devices();
        }

        /// Interactivity: tokens per second that a user sees, by the median time per output token; 0 where no
        /// answer has two tokens.
        public double tokensPerSecondPerUser() {
            double each = figures().timePerOutputToken().p50();
            return each == 0 ? 0 : 1 / each;
        }

        /// Those of several that no other beats in tokens per second of each user and of each device, the most
        /// interactive first. Deployments that refuse a request are not among them.
        public static List<DeploymentPlan> front(List<DeploymentPlan> plans) {
            List<DeploymentPlan> sorted = new ArrayList<>(plans);
            sorted.removeIf(plan -> plan.simulation.rejected() > 0);
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
