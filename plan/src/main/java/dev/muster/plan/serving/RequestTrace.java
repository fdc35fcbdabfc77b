// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.plan.answer.PlanNote;
import java.util.Arrays;
import java.util.List;

/// A trace of recorded requests: send times, lengths of prompts and answers, and perhaps the blocks of tokens that
/// prompts share. Immutable.
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
    private final List<PlanNote> notes;

    RequestTrace(
            double[] seconds,
            int[] input,
            int[] output,
            int[] blocks,
            int[] blockStart,
            int blockTokens,
            List<PlanNote> notes) {
        this.seconds = seconds;
        this.input = input;
        this.output = output;
        this.blocks = blocks;
        this.blockStart = blockStart;
        this.blockTokens = blockTokens;
        this.notes = List.copyOf(notes);
    }

    /// Parses a trace: CSV with a column for the time, the tokens of prompts and those of answers, by the names in
    /// the traces of Azure, BurstGPT, Vidur and SplitwiseSim, or JSON lines as those of Mooncake and LLMServingSim.
    /// Times count from the first request.
    ///
    /// @throws dev.muster.model.CatalogueException if it is none, with the line
    public static RequestTrace parse(String text) {
        return TraceReader.read(text);
    }

    /// Returns the number of requests, at least one.
    public int size() {
        return input.length;
    }

    /// Reports whether it has send times.
    public boolean hasTimes() {
        return seconds.length > 0;
    }

    /// Returns the seconds from the first request to each.
    public double[] seconds() {
        return seconds.clone();
    }

    /// Returns the tokens of each prompt.
    public int[] input() {
        return input.clone();
    }

    /// Returns the tokens of each answer.
    public int[] output() {
        return output.clone();
    }

    /// Returns the tokens of a block that prompts may share; 0 if unknown.
    public int blockTokens() {
        return blockTokens;
    }

    /// Returns the blocks of all prompts by number, one request behind the other.
    public int[] blocks() {
        return blocks.clone();
    }

    /// Returns the start of each request's blocks, and the end of the last.
    public int[] blockStart() {
        return blockStart.clone();
    }

    /// Returns notes on omissions and changes.
    public List<PlanNote> notes() {
        return notes;
    }

    /// Returns the requests per second from the first to the last; 0 without times.
    public double meanRate() {
        double duration = hasTimes() ? seconds[seconds.length - 1] : 0;
        return duration == 0 ? 0 : (size() - 1) / duration;
    }

    /// Returns the requests at a multiple of their rate.
    public RequestTrace faster(double times) {
        double[] sent = seconds.clone();
        for (int i = 0; i < sent.length; i++) {
            sent[i] /= times;
        }
        return new RequestTrace(sent, input, output, blocks, blockStart, blockTokens, notes);
    }

    /// Returns each of a number of requests: the share of one of as many replicas that take turns.
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

    /// Returns the mean tokens of a prompt.
    public double meanInput() {
        return Arrays.stream(input).average().orElse(0);
    }

    /// Returns the tokens of the longest prompt.
    int longestInput() {
        return Arrays.stream(input).max().orElse(0);
    }

    /// Returns the mean tokens of an answer.
    public double meanOutput() {
        return Arrays.stream(output).average().orElse(0);
    }
}
