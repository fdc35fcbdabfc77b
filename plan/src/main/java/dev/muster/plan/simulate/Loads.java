// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import dev.muster.plan.serving.RequestTrace;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.SimulationRequest;
import java.util.Arrays;
import java.util.Optional;

/// Generates the requests of a load. Randomness comes from the seed alone.
public final class Loads {
    private static final int PER_USER = 10;
    private static final int OF_RATE = 1000;

    private Loads() {}

    /// Returns the requests of a load.
    public static Workload of(SimulationRequest request) {
        int count = count(request);
        Draws draws = new Draws(request.seed());
        int[] input = new int[count];
        int[] output = new int[count];
        Optional<RequestTrace> recorded = request.load() instanceof ServingLoad.Replay(RequestTrace trace)
                ? Optional.of(trace)
                : request.lengths();
        recorded.ifPresentOrElse(
                trace -> {
                    repeat(trace.input(), input);
                    repeat(trace.output(), output);
                },
                () -> {
                    for (int i = 0; i < count; i++) {
                        input[i] = draws.length(request.serving().input(), request.shortest());
                        output[i] = draws.length(request.serving().output(), request.shortest());
                    }
                });
        Workload load = switch (request.load()) {
            case ServingLoad.Users(int users) -> Workload.closedLoop(users, input, output);
            case ServingLoad.Burst _ -> Workload.burst(input, output);
            case ServingLoad.Rate(double perSecond) -> Workload.timed(draws.arrivals(count, perSecond), input, output);
            case ServingLoad.Replay(RequestTrace trace) ->
                Workload.timed(Arrays.copyOf(trace.seconds(), count), input, output);
        };
        return recorded.map(trace -> withBlocks(load, trace))
                .orElse(load)
                .withWarmUp(Math.min(request.warmUp(), Math.max(0, count - 1)));
    }

    private static int count(SimulationRequest request) {
        int asked = request.requests();
        return switch (request.load()) {
            case ServingLoad.Users(int users) ->
                asked > 0 ? asked : Math.min(PER_USER * users, SimulationRequest.MAX_REQUESTS);
            case ServingLoad.Rate _ -> asked > 0 ? asked : OF_RATE;
            case ServingLoad.Burst(int requests) -> requests;
            case ServingLoad.Replay(RequestTrace trace) -> asked > 0 ? Math.min(asked, trace.size()) : trace.size();
        };
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

        int length(int nominal, double shortest) {
            if (shortest >= 1) {
                return nominal;
            }
            int least = Math.max(1, (int) (shortest * nominal));
            return least + (int) (next() * (nominal - least + 1));
        }

        double[] arrivals(int count, double perSecond) {
            double[] seconds = new double[count];
            double now = 0;
            for (int i = 0; i < count; i++) {
                now -= StrictMath.log(1 - next()) / perSecond;
                seconds[i] = now;
            }
            return seconds;
        }
    }
}
