// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What is asked of a simulation of serving.
///
/// @param serving the model, its weight format, and the tokens of prompts and answers, which a trace overrides
/// @param load who sends requests when
/// @param requests how many are sent; 0 for ten for each user, a thousand of a rate, all of a trace
/// @param lengths recorded requests whose lengths are taken; empty for those of `serving`
/// @param shortest lengths are drawn evenly from this share of the nominal ones up to them; 1 for equal lengths
/// @param warmUp requests at the start that do not count
/// @param targets what clients still call good
/// @param fleet how many replicas there are, and what they look like
/// @param prefixHit share of each prompt whose KV cache is there already, where a trace does not say
/// @param draft tokens that speculative decoding drafts for each step; 0 for none
/// @param acceptance chance that a drafted token is accepted where those before it were
/// @param options options of the engine that change how it schedules, by its own names
/// @param seed where chance begins: one seed gives one answer
/// @since 0.1
public record SimulationRequest(
        ServingRequest serving,
        ServingLoad load,
        int requests,
        Optional<RequestTrace> lengths,
        double shortest,
        int warmUp,
        LatencyTargets targets,
        Fleet fleet,
        double prefixHit,
        int draft,
        double acceptance,
        Map<String, String> options,
        long seed) {
    /// The most requests of a simulation.
    public static final int MAX_REQUESTS = RequestTrace.MAX_REQUESTS;

    /// Checks the numbers and copies the options.
    ///
    /// @throws IllegalArgumentException if one is out of range
    public SimulationRequest {
        if (requests < 0 || requests > MAX_REQUESTS || warmUp < 0) {
            throw new IllegalArgumentException("0 to " + MAX_REQUESTS + " requests can be simulated");
        }
        if (!(shortest > 0 && shortest <= 1)) {
            throw new IllegalArgumentException("the shortest length is a share above 0, and 1 at most");
        }
        if (!(prefixHit >= 0 && prefixHit < 1)) {
            throw new IllegalArgumentException("a prefix hit ratio is from 0 to less than 1");
        }
        if (draft < 0 || draft > 64 || !(acceptance >= 0 && acceptance <= 1)) {
            throw new IllegalArgumentException("0 to 64 tokens are drafted, and 0 to 1 of them accepted");
        }
        options = Map.copyOf(new LinkedHashMap<>(options));
    }

    /// A load on the best layout of all devices, with equal lengths and nothing special.
    public static SimulationRequest of(ServingRequest serving, ServingLoad load) {
        return new SimulationRequest(
                serving, load, 0, Optional.empty(), 1, 0, LatencyTargets.NONE, Fleet.BEST, 0, 0, 0, Map.of(), 1);
    }

    /// The same with another load.
    public SimulationRequest withLoad(ServingLoad other) {
        return new SimulationRequest(
                serving,
                other,
                requests,
                lengths,
                shortest,
                warmUp,
                targets,
                fleet,
                prefixHit,
                draft,
                acceptance,
                options,
                seed);
    }

    /// The same with other targets.
    public SimulationRequest withTargets(LatencyTargets other) {
        return new SimulationRequest(
                serving,
                load,
                requests,
                lengths,
                shortest,
                warmUp,
                other,
                fleet,
                prefixHit,
                draft,
                acceptance,
                options,
                seed);
    }

    /// The same with other replicas.
    public SimulationRequest withFleet(Fleet other) {
        return new SimulationRequest(
                serving,
                load,
                requests,
                lengths,
                shortest,
                warmUp,
                targets,
                other,
                prefixHit,
                draft,
                acceptance,
                options,
                seed);
    }

    /// The same with other weight format, lengths or goal.
    public SimulationRequest withServing(ServingRequest other) {
        return new SimulationRequest(
                other,
                load,
                requests,
                lengths,
                shortest,
                warmUp,
                targets,
                fleet,
                prefixHit,
                draft,
                acceptance,
                options,
                seed);
    }

    /// What one of so many replicas gets that take turns: its share of users, of a burst or of a rate, each of so many
    /// requests of a trace.
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
                warmUp / replicas,
                targets,
                fleet,
                prefixHit,
                draft,
                acceptance,
                options,
                seed);
    }

    /// The same with another number of requests.
    public SimulationRequest withRequests(int other) {
        return new SimulationRequest(
                serving,
                load,
                other,
                lengths,
                shortest,
                warmUp,
                targets,
                fleet,
                prefixHit,
                draft,
                acceptance,
                options,
                seed);
    }

    /// What replicas look like and how requests are spread over them.
    ///
    /// @param tensor devices that share a replica (TP); 0 for the best
    /// @param replicas how many there are; 0 for as many as find room
    /// @param decodeReplicas how many of them decode only, what the others prefilled; 0 where each does both
    /// @param linkBandwidth bytes per second of the link over which a KV cache gets from prefill to decode
    /// @param router how requests are spread
    public record Fleet(int tensor, int replicas, int decodeReplicas, double linkBandwidth, Router router) {
        /// As the planner likes.
        public static final Fleet BEST = new Fleet(0, 0, 0, 50e9, Router.ROUND_ROBIN);

        /// Checks the numbers.
        ///
        /// @throws IllegalArgumentException if one is out of range
        public Fleet {
            if (tensor < 0 || replicas < 0 || decodeReplicas < 0 || !(linkBandwidth > 0)) {
                throw new IllegalArgumentException("degrees and replicas are not negative, and a link has a rate");
            }
            if (decodeReplicas > 0 && decodeReplicas >= replicas) {
                throw new IllegalArgumentException(
                        "of " + replicas + " replicas, " + decodeReplicas + " that only decode leave none for prefill");
            }
        }
    }

    /// How requests are spread over replicas.
    public enum Router {
        /// In turns.
        ROUND_ROBIN("round-robin"),
        /// To the replica with the fewest requests.
        LEAST_LOADED("least-loaded"),
        /// To the replica that knows most of the prompt, unless it has far more to do than others; in turns where a
        /// load has no prefixes.
        PREFIX("prefix");

        private final String label;

        Router(String label) {
            this.label = label;
        }

        /// The name on the command line.
        public String label() {
            return label;
        }

        /// All names.
        public static List<String> labels() {
            return Arrays.stream(values()).map(Router::label).toList();
        }

        /// The router of that name.
        public static Optional<Router> find(String label) {
            return Arrays.stream(values())
                    .filter(one -> one.label.equals(label))
                    .findFirst();
        }
    }
}
