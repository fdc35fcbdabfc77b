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
        for (int i = 0; i < input.length; i++) {
            if (input[i] < 1 || output[i] < 1) {
                throw new IllegalArgumentException("a request has at least one token in and one out");
            }
        }
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
