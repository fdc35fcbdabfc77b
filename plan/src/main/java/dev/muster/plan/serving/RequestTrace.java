// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import java.util.Arrays;
import java.util.List;

/// Requests that were recorded: when each was sent, how long its prompt and its answer were, and perhaps which
/// blocks of tokens prompts have in common. Immutable.
///
/// @since 0.1
public final class RequestTrace {
    /// The most requests of a trace.
    public static final int MAX_REQUESTS = 5_000_000;

    private final double[] seconds;
    private final int[] input;
    private final int[] output;
    private final int[] blocks;
    private final int[] blockStart;
    private final int blockTokens;
    private final List<String> notes;

    RequestTrace(
            double[] seconds,
            int[] input,
            int[] output,
            int[] blocks,
            int[] blockStart,
            int blockTokens,
            List<String> notes) {
        this.seconds = seconds;
        this.input = input;
        this.output = output;
        this.blocks = blocks;
        this.blockStart = blockStart;
        this.blockTokens = blockTokens;
        this.notes = List.copyOf(notes);
    }

    /// Reads a trace: CSV with a column for the time, the tokens of prompts and those of answers, by the names that the
    /// traces of Azure, BurstGPT, Vidur and SplitwiseSim give them, or JSON lines as those of Mooncake and
    /// LLMServingSim.
    /// Times count from the first request.
    ///
    /// @throws dev.muster.model.CatalogueException if it is none, with the line
    public static RequestTrace parse(String text) {
        return TraceReader.read(text);
    }

    /// How many requests there are; one at least.
    public int size() {
        return input.length;
    }

    /// Whether it says when requests were sent.
    public boolean hasTimes() {
        return seconds.length > 0;
    }

    /// Seconds from the first request to each.
    public double[] seconds() {
        return seconds.clone();
    }

    /// Tokens of each prompt.
    public int[] input() {
        return input.clone();
    }

    /// Tokens of each answer.
    public int[] output() {
        return output.clone();
    }

    /// Tokens of a block that prompts may have in common; 0 where it is not known which they are.
    public int blockTokens() {
        return blockTokens;
    }

    /// Blocks of all prompts by number, one request behind the other.
    public int[] blocks() {
        return blocks.clone();
    }

    /// Where the blocks of each request begin, and where the last ends.
    public int[] blockStart() {
        return blockStart.clone();
    }

    /// What was left out or changed, for people, a sentence each.
    public List<String> notes() {
        return notes;
    }

    /// Requests per second from the first to the last; 0 where there are no times.
    public double meanRate() {
        double duration = hasTimes() ? seconds[seconds.length - 1] : 0;
        return duration == 0 ? 0 : (size() - 1) / duration;
    }

    /// The same requests, so many times as fast one after the other.
    public RequestTrace faster(double times) {
        double[] sent = seconds.clone();
        for (int i = 0; i < sent.length; i++) {
            sent[i] /= times;
        }
        return new RequestTrace(sent, input, output, blocks, blockStart, blockTokens, notes);
    }

    /// Each of so many requests: what one of as many replicas gets that take turns.
    public RequestTrace every(int replicas) {
        int count = Math.ceilDiv(size(), replicas);
        double[] sent = new double[hasTimes() ? count : 0];
        int[] prompts = new int[count];
        int[] answers = new int[count];
        int[] start = new int[blockTokens > 0 ? count + 1 : 0];
        int[] shared = new int[blocks.length];
        int end = 0;
        for (int i = 0; i < count; i++) {
            int at = i * replicas;
            prompts[i] = input[at];
            answers[i] = output[at];
            if (sent.length > 0) {
                sent[i] = seconds[at];
            }
            if (start.length > 0) {
                int length = blockStart[at + 1] - blockStart[at];
                System.arraycopy(blocks, blockStart[at], shared, end, length);
                end += length;
                start[i + 1] = end;
            }
        }
        return new RequestTrace(sent, prompts, answers, Arrays.copyOf(shared, end), start, blockTokens, notes);
    }

    /// Tokens of a prompt on average.
    public double meanInput() {
        return Arrays.stream(input).average().orElse(0);
    }

    /// Tokens of an answer on average.
    public double meanOutput() {
        return Arrays.stream(output).average().orElse(0);
    }
}
