// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import java.util.Arrays;

/// [StepTimes] in whole ticks of 2^-40 seconds, each part rounded separately. Sums of ticks are exact in any order,
/// so that a run of steps takes the same time in one go as step by step, and a request that arrives just as a step
/// ends is seen in both. Caches its results; confined to one thread.
public final class StepTicks {
    /// Slightly less than a picosecond; a simulation may last 97 days.
    public static final double PER_SECOND = 0x1p40;

    private static final long UNKNOWN = -1;

    private final StepTimes times;
    private final int rows;
    private final int units;
    private final long promptStep;
    private final long promptFloor;
    private long[] decode = new long[0];
    private long[] context = new long[0];

    /// @param rows rows that a sequence adds to a step: more than one with draft tokens
    /// @param units parts that a token of context is counted in
    StepTicks(StepTimes times, int rows, int units) {
        this.times = times;
        this.rows = rows;
        this.units = units;
        this.promptStep = ticks(times.promptStep());
        this.promptFloor = ticks(times.promptFloor());
    }

    /// Returns seconds as ticks.
    public static long ticks(double seconds) {
        return (long) Math.rint(seconds * PER_SECOND);
    }

    /// Returns ticks as seconds.
    public static double seconds(long ticks) {
        return ticks / PER_SECOND;
    }

    /// Returns a decode step, without its contexts.
    long decode(int sequences) {
        if (sequences >= decode.length) {
            grow(sequences);
        }
        long known = decode[sequences];
        if (known == UNKNOWN) {
            known = ticks(times.rows((double) sequences * rows)) + ticks(times.sequences(sequences));
            decode[sequences] = known;
        }
        return known;
    }

    /// Returns the cost of each unit of context.
    long context(int sequences) {
        if (sequences >= context.length) {
            grow(sequences);
        }
        long known = context[sequences];
        if (known == UNKNOWN) {
            known = ticks(times.contextToken(sequences) / units);
            context[sequences] = known;
        }
        return known;
    }

    /// Returns a step with a number of prompt tokens, without their attention and without contexts.
    long prompts(int sequences, int tokens) {
        return Math.max(
                promptFloor,
                ticks(times.rows((double) sequences * rows + tokens)) + ticks(times.sequences(sequences)) + promptStep);
    }

    /// Returns the attention of a piece of a prompt.
    long prompt(int before, int tokens) {
        return ticks(times.prompt(before, tokens));
    }

    private void grow(int sequences) {
        int from = decode.length;
        int size = Math.max(2 * from, sequences + 64);
        decode = Arrays.copyOf(decode, size);
        context = Arrays.copyOf(context, size);
        Arrays.fill(decode, from, size, UNKNOWN);
        Arrays.fill(context, from, size, UNKNOWN);
    }
}
