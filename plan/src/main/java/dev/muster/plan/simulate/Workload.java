// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import java.util.Arrays;

/// Requests and when they are sent. The arrays belong to it and are never changed.
public final class Workload {
    private static final int[] NOTHING = {};

    final int users;
    final int[] input;
    final int[] output;
    /// Ticks at which each is sent, in order; empty where users send one after another.
    final long[] sent;
    /// Blocks of tokens that prompts begin with, by number, one request behind the other; empty where not known.
    final int[] blocks;
    /// Where the blocks of each request begin, and where the last ends.
    final int[] blockStart;
    final int blockTokens;
    final int warmUp;
    private final int shortestInput;
    private final int shortestOutput;
    private final int longestOutput;

    private Workload(
            int users,
            int[] input,
            int[] output,
            long[] sent,
            int[] blocks,
            int[] blockStart,
            int blockTokens,
            int warmUp) {
        this.users = users;
        this.input = input;
        this.output = output;
        this.sent = sent;
        this.blocks = blocks;
        this.blockStart = blockStart;
        this.blockTokens = blockTokens;
        this.warmUp = warmUp;
        int leastIn = Integer.MAX_VALUE;
        int leastOut = Integer.MAX_VALUE;
        int mostOut = 1;
        for (int i = 0; i < input.length; i++) {
            leastIn = Math.min(leastIn, input[i]);
            leastOut = Math.min(leastOut, output[i]);
            mostOut = Math.max(mostOut, output[i]);
        }
        if (leastIn < 1 || leastOut < 1) {
            throw new IllegalArgumentException("a request has at least one token in and one out");
        }
        this.shortestInput = leastIn;
        this.shortestOutput = leastOut;
        this.longestOutput = mostOut;
    }

    /// Users who each send a request as soon as the last one is answered; all begin at once.
    public static Workload closedLoop(int users, int[] input, int[] output) {
        return new Workload(users, input, output, new long[0], NOTHING, NOTHING, 0, 0);
    }

    /// All at once.
    public static Workload burst(int[] input, int[] output) {
        return new Workload(input.length, input, output, new long[input.length], NOTHING, NOTHING, 0, 0);
    }

    /// At given times.
    ///
    /// @param seconds when each is sent, in order
    public static Workload timed(double[] seconds, int[] input, int[] output) {
        return new Workload(0, input, output, ticks(seconds), NOTHING, NOTHING, 0, 0);
    }

    /// The same with the blocks that prompts begin with: two that are alike in all blocks up to one share its KV cache.
    ///
    /// @param numbers blocks from 0, one request behind the other
    /// @param start where the blocks of each request begin, and where the last ends
    /// @param tokens tokens of a block
    public Workload withBlocks(int[] numbers, int[] start, int tokens) {
        return new Workload(users, input, output, sent, numbers, start, tokens, warmUp);
    }

    /// The same where the first so many requests do not count.
    public Workload withWarmUp(int requests) {
        return new Workload(users, input, output, sent, blocks, blockStart, blockTokens, requests);
    }

    /// How many requests there are.
    public int size() {
        return input.length;
    }

    /// Tokens of the shortest prompt.
    public int shortestInput() {
        return shortestInput;
    }

    /// Tokens of the shortest answer.
    public int shortestOutput() {
        return shortestOutput;
    }

    /// Tokens of the longest answer.
    public int longestOutput() {
        return longestOutput;
    }

    /// Requests that are there at once at most: one of each user, or all.
    public int mostAtOnce() {
        return isClosedLoop() ? Math.min(users, size()) : size();
    }

    /// Whether an answer has more than one token.
    public boolean hasDecodes() {
        return longestOutput > 1;
    }

    /// Tokens of a prompt that have to be computed at least.
    ///
    /// @param prefixHit share of each prompt that need not be, where blocks do not say
    public int shortestNeed(double prefixHit) {
        return hasBlocks() ? 1 : shortestInput - Math.min(shortestInput - 1, (int) (prefixHit * shortestInput));
    }

    /// Whether more prompts come than can be read in time, so that a quantile of the time to first token is too long.
    ///
    /// @param each seconds between two prompts that are read, at least
    /// @param within seconds that each may take
    /// @param share of the requests that have to keep it
    public boolean isLate(double each, double within, double share) {
        int forgiven = ServiceWatch.tooMany(share, size() - warmUp) - 1 + warmUp;
        if (isClosedLoop()) {
            return (Math.min(users, size()) - forgiven) * each > within;
        }
        for (int i = forgiven; i < size(); i++) {
            if ((i + 1 - forgiven) * each > StepTicks.seconds(sent[i] - sent[0]) + within) {
                return true;
            }
        }
        return false;
    }

    boolean isClosedLoop() {
        return sent.length == 0 && input.length > 0;
    }

    boolean hasBlocks() {
        return blockStart.length > 0;
    }

    /// The highest number of a block, and one.
    int blockCount() {
        return blocks.length == 0 ? 0 : Arrays.stream(blocks).max().orElseThrow() + 1;
    }

    private static long[] ticks(double[] seconds) {
        long[] ticks = new long[seconds.length];
        for (int i = 0; i < seconds.length; i++) {
            ticks[i] = StepTicks.ticks(seconds[i]);
            if (ticks[i] < 0 || (i > 0 && ticks[i] < ticks[i - 1])) {
                throw new IllegalArgumentException("requests are sent one after the other, from 0 on");
            }
            if (ticks[i] > Simulator.LONGEST) {
                throw new IllegalArgumentException("requests are sent over more than 48 days; simulate fewer");
            }
        }
        return ticks;
    }
}
