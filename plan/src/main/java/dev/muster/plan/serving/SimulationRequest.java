// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A request for a simulation of serving.
///
/// @param serving the model, its weight format, and the tokens of prompts and answers, which a trace overrides
/// @param load clients and send times
/// @param requests number of requests; 0 for as many as a 99th percentile needs, all of a trace, or without a steady
///     load ten for each user and a thousand of a rate
/// @param lengths recorded requests whose lengths are used; empty for those of `serving`
/// @param shortest [#SPREAD] for lengths as in real traffic, with the nominal ones as their mean; else the smallest
/// share
///     of the nominal lengths, which are drawn evenly: 1 for equal lengths
/// @param warmUp [#STEADY] for the figures of a steady load; else a number of requests at the start that do not count:
///     all users begin at once
/// @param targets objectives of a single request
/// @param fleet number and layout of replicas
/// @param prefixHit share of each prompt with a cached prefix, if a trace does not state it
/// @param draft draft tokens of each step; 0 for none
/// @param acceptance probability that a draft token is accepted if those before it were
/// @param options options of the engine's scheduler, by its own names
/// @param seed random seed: one seed gives one answer
/// @since 0.1
public record SimulationRequest(
        ServingRequest serving,
        ServingLoad load,
        int requests,
        Optional<RequestTrace> lengths,
        double shortest,
        int warmUp,
        Slo targets,
        Replicas fleet,
        double prefixHit,
        int draft,
        double acceptance,
        Map<String, String> options,
        long seed) {
    /// The most requests of a simulation.
    public static final int MAX_REQUESTS = RequestTrace.MAX_REQUESTS;

    /// Lengths as in real traffic.
    public static final double SPREAD = 0;

    /// Figures of a steady load: of users and of a rate, without the start and the end of a run.
    public static final int STEADY = -1;

    /// Checks the numbers and copies the options.
    ///
    /// @throws IllegalArgumentException if one is out of range
    public SimulationRequest {
        if (requests < 0 || requests > MAX_REQUESTS || warmUp < STEADY) {
            throw new IllegalArgumentException("0 to " + MAX_REQUESTS + " requests can be simulated");
        }
        if (!(shortest >= SPREAD && shortest <= 1)) {
            throw new IllegalArgumentException("the shortest length is a share from 0 to 1");
        }
        if (!(prefixHit >= 0 && prefixHit < 1)) {
            throw new IllegalArgumentException("a prefix hit ratio is from 0 to less than 1");
        }
        if (draft < 0 || draft > 64 || !(acceptance >= 0 && acceptance <= 1)) {
            throw new IllegalArgumentException("0 to 64 tokens are drafted, and 0 to 1 of them accepted");
        }
        options = Map.copyOf(new LinkedHashMap<>(options));
    }

    /// Returns a request for a steady load on the best layout of all devices, with lengths as in real traffic and
    /// defaults.
    public static SimulationRequest of(ServingRequest serving, ServingLoad load) {
        return new SimulationRequest(
                serving, load, 0, Optional.empty(), SPREAD, STEADY, Slo.NONE, Replicas.BEST, 0, 0, 0, Map.of(), 1);
    }

    /// Reports whether the figures are those of a steady load.
    public boolean isSteady() {
        return warmUp == STEADY && (load instanceof ServingLoad.Users || load instanceof ServingLoad.Rate);
    }

    /// Returns the spread of lengths as text: `spread`, `equal`, or the smallest share of the nominal ones.
    public String lengthsLabel() {
        return shortest == SPREAD
                ? "spread"
                : shortest == 1
                        ? "equal"
                        : BigDecimal.valueOf(shortest).stripTrailingZeros().toPlainString();
    }

    /// Returns a copy with the load of a benchmark: equal lengths, all users at once, every request counts.
    public SimulationRequest asBenchmark() {
        return new SimulationRequest(
                serving, load, requests, lengths, 1, 0, targets, fleet, prefixHit, draft, acceptance, options, seed);
    }

    /// Returns a copy with another load.
    public SimulationRequest withLoad(ServingLoad other) {
        return with(serving, other, requests, targets, fleet, options);
    }

    /// Returns a copy with other targets.
    public SimulationRequest withTargets(Slo other) {
        return with(serving, load, requests, other, fleet, options);
    }

    /// Returns a copy with other replicas.
    public SimulationRequest withFleet(Replicas other) {
        return with(serving, load, requests, targets, other, options);
    }

    /// Returns a copy with other weight format, lengths or goal.
    public SimulationRequest withServing(ServingRequest other) {
        return with(other, load, requests, targets, fleet, options);
    }

    private SimulationRequest with(
            ServingRequest model,
            ServingLoad sent,
            int number,
            Slo objectives,
            Replicas replicas,
            Map<String, String> scheduler) {
        return new SimulationRequest(
                model,
                sent,
                number,
                lengths,
                shortest,
                warmUp,
                objectives,
                replicas,
                prefixHit,
                draft,
                acceptance,
                scheduler,
                seed);
    }

    /// Returns the share of one of several replicas that take turns: its part of users, of a burst or of a rate, each
    /// of a number of requests of a trace.
    public SimulationRequest share(int replicas) {
        ServingLoad part = switch (load) {
            case ServingLoad.Users(int users) -> new ServingLoad.Users(Math.ceilDiv(users, replicas));
            case ServingLoad.Burst(int count) -> new ServingLoad.Burst(Math.ceilDiv(count, replicas));
            case ServingLoad.Rate(double perSecond) -> new ServingLoad.Rate(perSecond / replicas);
            case ServingLoad.Replay(RequestTrace trace) -> new ServingLoad.Replay(trace.every(replicas));
        };
        return new SimulationRequest(
                serving,
                part,
                Math.ceilDiv(requests, replicas),
                lengths.map(trace -> trace.every(replicas)),
                shortest,
                warmUp == STEADY ? STEADY : warmUp / replicas,
                targets,
                fleet,
                prefixHit,
                draft,
                acceptance,
                options,
                seed);
    }

    /// Returns a copy with another number of requests.
    public SimulationRequest withRequests(int other) {
        return with(serving, load, other, targets, fleet, options);
    }

    /// Returns a copy with other options of the engine's scheduler, by its own names.
    public SimulationRequest withOptions(Map<String, String> other) {
        return with(serving, load, requests, targets, fleet, other);
    }

    /// The layout of replicas and the routing of requests.
    ///
    /// @param tp tensor parallel degree; 0 for the best
    /// @param replicas number of replicas; 0 for as many as fit
    /// @param decodeReplicas number of them for decode only; 0 if each does both
    /// @param linkBandwidth bytes per second of the link for KV caches from prefill to decode
    /// @param router routing of requests
    public record Replicas(int tp, int replicas, int decodeReplicas, double linkBandwidth, Router router) {
        /// The planner's choice.
        public static final Replicas BEST = new Replicas(0, 0, 0, 50e9, Router.ROUND_ROBIN);

        /// Checks the numbers.
        ///
        /// @throws IllegalArgumentException if one is out of range
        public Replicas {
            if (tp < 0 || replicas < 0 || decodeReplicas < 0 || !(linkBandwidth > 0)) {
                throw new IllegalArgumentException("degrees and replicas are not negative, and a link has a rate");
            }
            if (decodeReplicas > 0 && decodeReplicas >= replicas) {
                throw new IllegalArgumentException(
                        "of " + replicas + " replicas, " + decodeReplicas + " that only decode leave none for prefill");
            }
        }
    }

    /// The routing of requests to replicas.
    public enum Router {
        /// Round-robin.
        ROUND_ROBIN("round-robin"),
        /// To the replica with the fewest requests.
        LEAST_LOADED("least-loaded"),
        /// To the replica with the longest cached prefix of the prompt, unless it is overloaded; round-robin if a
        /// load has no prefixes.
        PREFIX("prefix");

        private final String label;

        Router(String label) {
            this.label = label;
        }

        /// Returns the name on the command line.
        public String label() {
            return label;
        }

        /// Returns all names.
        public static List<String> labels() {
            return Arrays.stream(values()).map(Router::label).toList();
        }

        /// Returns the router with a name.
        public static Optional<Router> find(String label) {
            return Arrays.stream(values())
                    .filter(one -> one.label.equals(label))
                    .findFirst();
        }
    }

    /// Returns the tokens of the longest prompt.
    public int longestInput() {
        return load instanceof ServingLoad.Replay(RequestTrace replayed)
                ? replayed.longestInput()
                : lengths.map(RequestTrace::longestInput).orElse(serving.input());
    }
}
