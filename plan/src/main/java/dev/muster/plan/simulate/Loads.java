// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import dev.muster.model.ModelDimension;
import dev.muster.plan.serving.RequestTrace;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntFunction;

/// Generates the requests of a load. Randomness comes from the seed alone.
///
/// A steady load has three parts: requests until the queues are as long as they stay, requests that count, and requests
/// that keep the load up until those are answered. Users start in the middle of their first answers, so that no
/// burst of prompts comes first and they do not move in step.
public final class Loads {
    private static final double ALMOST_ONE = Math.nextDown(1.0);

    private static final int PER_USER = 10;
    private static final int OF_RATE = 1000;

    /// Requests that count in a steady load, at least: twenty of them are beyond the 99th percentile.
    private static final int ENOUGH = 2000;
    /// Requests of each user in a steady load, at least: those before, those that count, those behind.
    private static final int BEFORE = 2;
    private static final int COUNTED = 1;
    /// Requests at a rate before and behind those that count.
    private static final int RATE_BEFORE = 300;
    private static final int RATE_BEHIND = 100;

    private static final int MOST_TRIES = 64;
    private static final int BLOCK = 256;
    /// Arrivals are hardly more regular if more replicas take turns.
    private static final int MOST_TURNS = 16;

    /// Growth of the latency beyond doubt, in seconds for each second; less the longer the run.
    private static final double CERTAIN_GROWTH = 0.5;

    /// The times that requests before and behind may be multiplied by.
    private static final int MOST_TIMES = 256;

    private Loads() {}

    /// Returns the requests of a load; of a rate with as many before those that count as most loads need.
    public static Workload of(SimulationRequest request) {
        return of(request, 1, 1);
    }

    /// Simulates a load; at a rate with as many requests before those that count as it takes to become steady.
    ///
    /// @param load load with a multiple of the usual number of requests before those that count
    public static SimulatedRun run(IntFunction<Workload> load, Deployment deployment, Slo slo) {
        for (int times = 1; ; times *= 4) {
            SimulatedRun run = Simulator.run(load.apply(times), deployment, slo);
            if (run.isLost() || times == MOST_TIMES || run.isSettled(CERTAIN_GROWTH / times)) {
                return run;
            }
        }
    }

    /// Returns the requests of a load.
    ///
    /// @param times multiple of the usual number of requests at a rate that do not count
    /// @param turns number of replicas that take turns, of which the request is the share of one
    public static Workload of(SimulationRequest request, int times, int turns) {
        Parts parts = Parts.of(request, times);
        Draws draws = new Draws(request.seed());
        int[] input = new int[parts.all()];
        int[] output = new int[parts.all()];
        Optional<RequestTrace> recorded = request.load() instanceof ServingLoad.Replay(RequestTrace trace)
                ? Optional.of(trace)
                : request.lengths();
        recorded.ifPresentOrElse(
                trace -> {
                    repeat(trace.input(), input);
                    repeat(trace.output(), output);
                },
                () -> draws.lengths(request, input, output));
        Workload load = switch (request.load()) {
            case ServingLoad.Users(int users) -> {
                if (request.isSteady()) {
                    draws.begin(input, output, Math.min(users, parts.before));
                }
                yield Workload.closedLoop(users, input, output);
            }
            case ServingLoad.Burst _ -> Workload.burst(input, output);
            case ServingLoad.Rate(double perSecond) ->
                Workload.timed(draws.arrivals(parts.all(), perSecond, Math.min(turns, MOST_TURNS)), input, output);
            case ServingLoad.Replay(RequestTrace trace) ->
                Workload.timed(Arrays.copyOf(trace.seconds(), parts.all()), input, output);
        };
        return recorded.map(trace -> withBlocks(load, trace)).orElse(load).counting(parts.before, parts.counted);
    }

    /// The numbers of requests of a load.
    ///
    /// @param before requests at the start that do not count
    /// @param counted requests that count
    /// @param behind requests at the end that do not count
    private record Parts(int before, int counted, int behind) {
        int all() {
            return before + counted + behind;
        }

        static Parts of(SimulationRequest request, int times) {
            int asked = request.requests();
            return switch (request.load()) {
                case ServingLoad.Users(int users)
                when request.isSteady() -> {
                    int room = Math.max(0, (SimulationRequest.MAX_REQUESTS - ENOUGH) / (BEFORE + COUNTED + 1));
                    int each = Math.min(users, room);
                    int most = SimulationRequest.MAX_REQUESTS - (BEFORE + 1) * each;
                    int counted = Math.max(Math.max(ENOUGH, COUNTED * each), Math.min(asked, most));
                    yield new Parts(BEFORE * each, counted, each);
                }
                case ServingLoad.Rate _
                when request.isSteady() -> {
                    int most = SimulationRequest.MAX_REQUESTS - MOST_TIMES * (RATE_BEFORE + RATE_BEHIND);
                    int counted = Math.max(ENOUGH, Math.min(asked, most));
                    yield new Parts(times * RATE_BEFORE, counted, times * RATE_BEHIND);
                }
                case ServingLoad.Users(int users) ->
                    warm(request, asked > 0 ? asked : Math.min(PER_USER * users, SimulationRequest.MAX_REQUESTS));
                case ServingLoad.Rate _ -> warm(request, asked > 0 ? asked : OF_RATE);
                case ServingLoad.Burst(int requests) -> warm(request, requests);
                case ServingLoad.Replay(RequestTrace trace) ->
                    warm(request, asked > 0 ? Math.min(asked, trace.size()) : trace.size());
            };
        }

        private static Parts warm(SimulationRequest request, int all) {
            int before = Math.max(0, Math.min(request.warmUp(), all - 1));
            return new Parts(before, all - before, 0);
        }
    }

    /// Returns the requests of users who send one after another.
    ///
    /// @param requests number of all requests
    /// @param shortest smallest share of the nominal lengths; 1 if all are equal
    public static Workload closedLoop(int users, int requests, int input, int output, double shortest, long seed) {
        Draws draws = new Draws(seed);
        int[] inputs = new int[requests];
        int[] outputs = new int[requests];
        for (int i = 0; i < requests; i++) {
            inputs[i] = draws.length(input, shortest);
            outputs[i] = draws.length(output, shortest);
        }
        return Workload.closedLoop(users, inputs, outputs);
    }

    /// Returns the tokens of the longest prompt that a load may have.
    public static int longestPrompt(SimulationRequest request) {
        boolean isSpread = request.shortest() == SimulationRequest.SPREAD
                && request.lengths().isEmpty()
                && !(request.load() instanceof ServingLoad.Replay);
        if (!isSpread) {
            return request.longestInput();
        }
        long context =
                request.serving().architecture().find(ModelDimension.CONTEXT).orElse(Integer.MAX_VALUE);
        int input = request.serving().input();
        return (int) Math.max(input, Math.min(LengthSpread.length(input, ALMOST_ONE), context));
    }

    /// Returns requests that arrive at random, whether others are answered or not.
    ///
    /// @param requests number of all requests
    /// @param shortest smallest share of the nominal lengths; 1 if all are equal
    public static Workload openLoop(double perSecond, int requests, int input, int output, double shortest, long seed) {
        Draws draws = new Draws(seed);
        int[] inputs = new int[requests];
        int[] outputs = new int[requests];
        for (int i = 0; i < requests; i++) {
            inputs[i] = draws.length(input, shortest);
            outputs[i] = draws.length(output, shortest);
        }
        return Workload.timed(draws.arrivals(requests, perSecond, 1), inputs, outputs);
    }

    private static void repeat(int[] from, int[] to) {
        for (int i = 0; i < to.length; i++) {
            to[i] = from[i % from.length];
        }
    }

    /// Adds the prefixes of a trace; repeated prompts would all be cached, so only a replay has them.
    private static Workload withBlocks(Workload load, RequestTrace trace) {
        return trace.blockTokens() > 0 && load.size() <= trace.size()
                ? load.withBlocks(trace.blocks(), trace.blockStart(), trace.blockTokens())
                : load;
    }

    /// Random numbers (SplitMix64), the same on every machine.
    private static final class Draws {
        private long state;

        Draws(long seed) {
            this.state = seed;
        }

        /// Returns a number from 0 to less than 1.
        private double next() {
            state += 0x9E3779B97F4A7C15L;
            long mixed = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
            mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
            return ((mixed ^ (mixed >>> 31)) >>> 11) * 0x1p-53;
        }

        /// Draws prompts and answers that together stay within the context of the model.
        private void lengths(SimulationRequest request, int[] input, int[] output) {
            int in = request.serving().input();
            int out = request.serving().output();
            boolean isSpread = request.shortest() == SimulationRequest.SPREAD;
            long made = request.serving()
                    .architecture()
                    .find(ModelDimension.CONTEXT)
                    .orElse(Long.MAX_VALUE);
            long context = made < (long) in + out ? Long.MAX_VALUE : made;
            int[] prompts = new int[BLOCK];
            int[] answers = new int[BLOCK];
            Arrays.setAll(prompts, i -> i);
            Arrays.setAll(answers, i -> i);
            for (int i = 0; i < input.length; i++) {
                int prompt = isSpread ? LengthSpread.length(in, dealt(prompts, i)) : length(in, request.shortest());
                int answer = isSpread ? LengthSpread.length(out, dealt(answers, i)) : length(out, request.shortest());
                input[i] = (int) Math.min(prompt, context - out);
                output[i] = (int) Math.min(answer, context - input[i]);
            }
        }

        /// Returns a number from 0 to less than 1. Each of [#BLOCK] equal parts has one of as many numbers in a row, so
        /// that few requests have the quantiles of many.
        private double dealt(int[] parts, int turn) {
            int at = turn % BLOCK;
            int other = at + (int) (next() * (BLOCK - at));
            int part = parts[other];
            parts[other] = parts[at];
            parts[at] = part;
            return (part + next()) / BLOCK;
        }

        /// Leaves a random share of the first answers, and of their prompts the last token. At any time an answer is
        /// the more likely to be under way the longer it is, so they are drawn from all answers by length.
        private void begin(int[] input, int[] output, int count) {
            int longest = Arrays.stream(output).max().orElse(1);
            for (int i = 0; i < count; i++) {
                int drawn = output[i];
                for (int tries = 0; tries < MOST_TRIES && next() * longest > drawn; tries++) {
                    drawn = output[count + (int) (next() * (output.length - count))];
                }
                input[i] = 1;
                output[i] = 1 + (int) (next() * drawn);
            }
        }

        int length(int nominal, double shortest) {
            if (shortest >= 1) {
                return nominal;
            }
            int least = Math.max(1, (int) (shortest * nominal));
            return least + (int) (next() * (nominal - least + 1));
        }

        double[] arrivals(int count, double perSecond, int turns) {
            double[] seconds = new double[count];
            double now = 0;
            for (int i = 0; i < count; i++) {
                double none = 1;
                for (int turn = 0; turn < turns; turn++) {
                    none *= 1 - next();
                }
                now -= StrictMath.log(none) / (turns * perSecond);
                seconds[i] = now;
            }
            return seconds;
        }
    }
}
