// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A request for a simulation of serving. Immutable.
///
/// @since 0.1
public final class SimulationRequest {
    /// The most requests of a simulation.
    public static final int MAX_REQUESTS = RequestTrace.MAX_REQUESTS;

    /// Lengths as in real traffic.
    public static final double SPREAD = 0;

    /// Figures of a steady load: of users and of a rate, without the start and the end of a run.
    public static final int STEADY = -1;

    private final Parts parts;

    private SimulationRequest(Parts parts) {
        parts.check();
        this.parts = parts;
    }

    /// Returns a request for a steady load on the best layout of all devices, with lengths as in real traffic and
    /// defaults.
    public static SimulationRequest of(ServingRequest serving, ServingLoad load) {
        return new SimulationRequest(new Parts(serving, load));
    }

    /// Returns the model, its weight format, and the tokens of prompts and answers, which a trace overrides.
    public ServingRequest serving() {
        return parts.serving;
    }

    /// Returns clients and send times.
    public ServingLoad load() {
        return parts.load;
    }

    /// Returns the number of requests; 0 for as many as a 99th percentile needs, all of a trace, or without a steady
    /// load ten for each user and a thousand of a rate.
    public int requests() {
        return parts.requests;
    }

    /// Returns recorded requests whose lengths are used; empty for those of [#serving].
    public Optional<RequestTrace> lengths() {
        return parts.lengths;
    }

    /// Returns [#SPREAD] for lengths as in real traffic, with the nominal ones as their mean; else the smallest share
    /// of the nominal lengths, which are drawn evenly: 1 for equal lengths.
    public double shortest() {
        return parts.shortest;
    }

    /// Returns [#STEADY] for the figures of a steady load; else a number of requests at the start that do not count:
    /// all users begin at once.
    public int warmUp() {
        return parts.warmUp;
    }

    /// Returns the objectives of a single request.
    public Slo targets() {
        return parts.targets;
    }

    /// Returns the number and layout of replicas.
    public Replicas fleet() {
        return parts.fleet;
    }

    /// Returns the share of each prompt with a cached prefix, if a trace does not state it.
    public double prefixHit() {
        return parts.prefixHit;
    }

    /// Returns the tokens that are drafted.
    public Speculation speculation() {
        return parts.speculation;
    }

    /// Returns options of the engine's scheduler, by its own names.
    public Map<String, String> options() {
        return parts.options;
    }

    /// Returns the random seed: one seed gives one answer.
    public long seed() {
        return parts.seed;
    }

    /// Reports whether the figures are those of a steady load.
    public boolean isSteady() {
        return warmUp() == STEADY && (load() instanceof ServingLoad.Users || load() instanceof ServingLoad.Rate);
    }

    /// Returns the spread of lengths as text: `spread`, `equal`, or the smallest share of the nominal ones.
    public String lengthsLabel() {
        return shortest() == SPREAD
                ? "spread"
                : shortest() == 1
                        ? "equal"
                        : BigDecimal.valueOf(shortest()).stripTrailingZeros().toPlainString();
    }

    /// Returns the tokens of the longest prompt.
    public int longestInput() {
        return load() instanceof ServingLoad.Replay(RequestTrace replayed)
                ? replayed.longestInput()
                : lengths().map(RequestTrace::longestInput).orElse(serving().input());
    }

    /// Returns a copy with the load of a benchmark: equal lengths, all users at once, every request counts.
    public SimulationRequest asBenchmark() {
        return withSpread(1).withWarmUp(0);
    }

    /// Returns a copy with other weight format, lengths or goal.
    public SimulationRequest withServing(ServingRequest other) {
        return with(copy -> copy.serving = other);
    }

    /// Returns a copy with another load.
    public SimulationRequest withLoad(ServingLoad other) {
        return with(copy -> copy.load = other);
    }

    /// Returns a copy with another number of requests.
    ///
    /// @throws IllegalArgumentException if it is below 0 or above [#MAX_REQUESTS]
    public SimulationRequest withRequests(int other) {
        return with(copy -> copy.requests = other);
    }

    /// Returns a copy with the lengths of recorded requests.
    public SimulationRequest withLengths(RequestTrace other) {
        return with(copy -> copy.lengths = Optional.of(other));
    }

    /// Returns a copy with another spread of lengths.
    ///
    /// @param other [#SPREAD], or the smallest share of the nominal lengths
    /// @throws IllegalArgumentException if it is not a share
    public SimulationRequest withSpread(double other) {
        return with(copy -> copy.shortest = other);
    }

    /// Returns a copy with another number of requests at the start that do not count.
    ///
    /// @param other the number, or [#STEADY]
    /// @throws IllegalArgumentException if it is below that
    public SimulationRequest withWarmUp(int other) {
        return with(copy -> copy.warmUp = other);
    }

    /// Returns a copy with other targets.
    public SimulationRequest withTargets(Slo other) {
        return with(copy -> copy.targets = other);
    }

    /// Returns a copy with other replicas.
    public SimulationRequest withFleet(Replicas other) {
        return with(copy -> copy.fleet = other);
    }

    /// Returns a copy with another share of cached prefixes.
    ///
    /// @throws IllegalArgumentException if it is below 0, or not below 1
    public SimulationRequest withPrefixHit(double other) {
        return with(copy -> copy.prefixHit = other);
    }

    /// Returns a copy with other drafted tokens.
    public SimulationRequest withSpeculation(Speculation other) {
        return with(copy -> copy.speculation = other);
    }

    /// Returns a copy with other options of the engine's scheduler, by its own names.
    public SimulationRequest withOptions(Map<String, String> other) {
        return with(copy -> copy.options = Map.copyOf(other));
    }

    /// Returns a copy with another random seed.
    public SimulationRequest withSeed(long other) {
        return with(copy -> copy.seed = other);
    }

    /// Returns the share of one of several replicas that take turns: its part of users, of a burst or of a rate, each
    /// of a number of requests of a trace.
    public SimulationRequest share(int replicas) {
        return with(copy -> {
            copy.load = switch (load()) {
                case ServingLoad.Users(int users) -> new ServingLoad.Users(Math.ceilDiv(users, replicas));
                case ServingLoad.Burst(int count) -> new ServingLoad.Burst(Math.ceilDiv(count, replicas));
                case ServingLoad.Rate(double perSecond) -> new ServingLoad.Rate(perSecond / replicas);
                case ServingLoad.Replay(RequestTrace trace) -> new ServingLoad.Replay(trace.every(replicas));
            };
            copy.requests = Math.ceilDiv(requests(), replicas);
            copy.lengths = lengths().map(trace -> trace.every(replicas));
            copy.warmUp = warmUp() == STEADY ? STEADY : warmUp() / replicas;
        });
    }

    private SimulationRequest with(Consumer<Parts> change) {
        Parts copy = new Parts(parts);
        change.accept(copy);
        return new SimulationRequest(copy);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SimulationRequest request && request.parts.all().equals(parts.all());
    }

    @Override
    public int hashCode() {
        return parts.all().hashCode();
    }

    @Override
    public String toString() {
        return "SimulationRequest" + parts.all();
    }

    /// The parts of a request; nothing changes once it has them.
    private static final class Parts {
        private ServingRequest serving;
        private ServingLoad load;
        private int requests;
        private Optional<RequestTrace> lengths = Optional.empty();
        private double shortest = SPREAD;
        private int warmUp = STEADY;
        private Slo targets = Slo.NONE;
        private Replicas fleet = Replicas.BEST;
        private double prefixHit;
        private Speculation speculation = Speculation.NONE;
        private Map<String, String> options = Map.of();
        private long seed = 1;

        Parts(ServingRequest serving, ServingLoad load) {
            this.serving = serving;
            this.load = load;
        }

        Parts(Parts other) {
            this(other.serving, other.load);
            this.requests = other.requests;
            this.lengths = other.lengths;
            this.shortest = other.shortest;
            this.warmUp = other.warmUp;
            this.targets = other.targets;
            this.fleet = other.fleet;
            this.prefixHit = other.prefixHit;
            this.speculation = other.speculation;
            this.options = other.options;
            this.seed = other.seed;
        }

        private List<Object> all() {
            return List.of(
                    serving,
                    load,
                    requests,
                    lengths,
                    shortest,
                    warmUp,
                    targets,
                    fleet,
                    prefixHit,
                    speculation,
                    options,
                    seed);
        }

        private void check() {
            if (requests < 0 || requests > MAX_REQUESTS || warmUp < STEADY) {
                throw new IllegalArgumentException("0 to " + MAX_REQUESTS + " requests can be simulated");
            }
            if (!(shortest >= SPREAD && shortest <= 1)) {
                throw new IllegalArgumentException("the shortest length is a share from 0 to 1");
            }
            if (!(prefixHit >= 0 && prefixHit < 1)) {
                throw new IllegalArgumentException("a prefix hit ratio is from 0 to less than 1");
            }
        }
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
}
