// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import java.util.Arrays;

/// Requests and their send times. The arrays belong to it and are never changed.
public final class Workload {
    private static final int[] NOTHING = {};

    final int users;
    final int[] input;
    final int[] output;
    /// Send time of each, in ticks and in order; empty if users send one after another.
    final long[] sent;
    /// Blocks of tokens at the start of prompts, by number, one request behind the other; empty if unknown.
    final int[] blocks;
    /// The start of each request's blocks, and the end of the last.
    final int[] blockStart;
    final int blockTokens;
    /// The first request that counts, and the first behind it that does not.
    final int warmUp;
    final int end;
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
            int warmUp,
            int end) {
        this.users = users;
        this.input = input;
        this.output = output;
        this.sent = sent;
        this.blocks = blocks;
        this.blockStart = blockStart;
        this.blockTokens = blockTokens;
        this.warmUp = warmUp;
        this.end = end;
        int leastIn = Integer.MAX_VALUE;
        int leastOut = Integer.MAX_VALUE;
        int mostOut = 1;
        for (int i = 0; i < input.length; i++) {
            if (input[i] < 1 || output[i] < 1) {
                throw new IllegalArgumentException("a request has at least one token in and one out");
            }
        }
        for (int i = warmUp; i < end; i++) {
            leastIn = Math.min(leastIn, input[i]);
            leastOut = Math.min(leastOut, output[i]);
            mostOut = Math.max(mostOut, output[i]);
        }
        this.shortestInput = leastIn;
        this.shortestOutput = leastOut;
        this.longestOutput = mostOut;
    }

    /// Returns the load of users who each send a request as soon as the last one is answered; all begin at once.
    public static Workload closedLoop(int users, int[] input, int[] output) {
        return new Workload(users, input, output, new long[0], NOTHING, NOTHING, 0, 0, input.length);
    }

    /// Returns a load with all requests at once.
    public static Workload burst(int[] input, int[] output) {
        return new Workload(input.length, input, output, new long[input.length], NOTHING, NOTHING, 0, 0, input.length);
    }

    /// Returns a load with given send times.
    ///
    /// @param seconds send time of each, in order
    public static Workload timed(double[] seconds, int[] input, int[] output) {
        return new Workload(0, input, output, ticks(seconds), NOTHING, NOTHING, 0, 0, input.length);
    }

    /// Returns the load with the blocks at the start of prompts: two that agree in all blocks up to one share its KV
    /// cache.
    ///
    /// @param numbers blocks from 0, one request behind the other
    /// @param start start of each request's blocks, and end of the last
    /// @param tokens tokens of a block
    public Workload withBlocks(int[] numbers, int[] start, int tokens) {
        return new Workload(users, input, output, sent, numbers, start, tokens, warmUp, end);
    }

    /// Returns the load with requests at its start and its end that do not count.
    ///
    /// @param before number of requests at the start that do not count
    /// @param counted number of requests that count
    public Workload counting(int before, int counted) {
        return new Workload(users, input, output, sent, blocks, blockStart, blockTokens, before, before + counted);
    }

    /// Returns the number of requests that count.
    public int counted() {
        return end - warmUp;
    }

    /// Returns the number of requests.
    public int size() {
        return input.length;
    }

    /// Returns the tokens of the shortest prompt that counts.
    public int shortestInput() {
        return shortestInput;
    }

    /// Returns the tokens of the shortest answer that counts.
    public int shortestOutput() {
        return shortestOutput;
    }

    /// Returns the tokens of the longest answer that counts.
    public int longestOutput() {
        return longestOutput;
    }

    /// Returns the largest number of requests at one time: one of each user, or all.
    public int mostAtOnce() {
        return isClosedLoop() ? Math.min(users, size()) : size();
    }

    /// Reports whether an answer has more than one token.
    public boolean hasDecodes() {
        return longestOutput > 1;
    }

    /// Returns the least tokens of a prompt to compute, of those that count.
    ///
    /// @param prefixHit share of each prompt that is cached, if blocks do not state it
    public int shortestNeed(double prefixHit) {
        return hasBlocks() ? 1 : shortestInput - Math.min(shortestInput - 1, (int) (prefixHit * shortestInput));
    }

    /// Reports whether more prompts arrive than can be processed in time, so that a quantile of the time to first
    /// token is too long.
    ///
    /// @param each least seconds between two processed prompts
    /// @param within time limit of each, in seconds
    /// @param share share of the requests that have to keep it
    public boolean isLate(double each, double within, double share) {
        int forgiven = ServiceWatch.tooMany(share, counted()) - 1 + size() - counted();
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

    /// Reports whether requests behind those that count keep the load up.
    public boolean isSteady() {
        return end < size();
    }

    /// Returns the number of users; 0 without a closed loop.
    public int users() {
        return users;
    }

    /// Returns the mean tokens of a prompt that counts.
    public double meanInput() {
        return mean(input);
    }

    /// Returns the mean tokens of an answer that counts.
    public double meanOutput() {
        return mean(output);
    }

    private double mean(int[] tokens) {
        return Arrays.stream(tokens, warmUp, end).asLongStream().sum() / (double) counted();
    }

    /// Returns the requests that are sent in a second, of those that count.
    public double perSecond() {
        return counted() / StepTicks.seconds(Math.max(1, sent[end - 1] - sent[warmUp]));
    }

    /// Reports whether each user sends a request when the last one is answered.
    public boolean isClosedLoop() {
        return sent.length == 0 && input.length > 0;
    }

    /// Reports whether prefixes of prompts are known.
    public boolean hasBlocks() {
        return blockStart.length > 0;
    }

    /// Returns the highest number of a block, plus one.
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
