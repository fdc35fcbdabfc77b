// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.model.CatalogueException;
import dev.muster.plan.answer.PlanNote;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Requests of a trace as they are read, one after the other. Confined to one thread.
final class TraceRows {
    /// The mean number of requests with the same time stamp from which on stamps count as coarse.
    private static final double COARSE = 2;

    private static final double WIDEST_STAMP = 5;
    private static final int MAX_TOKENS = 1 << 24;

    private double[] seconds = new double[1024];
    private int[] input = new int[1024];
    private int[] output = new int[1024];
    private int[] blocks = new int[0];
    private int[] blockStart = new int[0];
    private int blockTokens;
    private int size;
    private int failed;
    private boolean hasTimes;
    private final List<PlanNote> notes = new ArrayList<>();

    /// Adds a request.
    ///
    /// @param at seconds; NaN without times
    void add(int line, double at, long inputTokens, long outputTokens) {
        if (size == RequestTrace.MAX_REQUESTS) {
            throw CatalogueException.at(line, "a trace has at most " + RequestTrace.MAX_REQUESTS + " requests; cut it");
        }
        if (outputTokens == 0) {
            failed++;
            return;
        }
        requireTokens(line, "prompt", inputTokens);
        requireTokens(line, "answer", outputTokens);
        if (size == input.length) {
            seconds = Arrays.copyOf(seconds, 2 * size);
            input = Arrays.copyOf(input, 2 * size);
            output = Arrays.copyOf(output, 2 * size);
        }
        hasTimes = !Double.isNaN(at);
        seconds[size] = at;
        input[size] = (int) inputTokens;
        output[size] = (int) outputTokens;
        size++;
    }

    private static void requireTokens(int line, String what, long tokens) {
        if (tokens < 1 || tokens > MAX_TOKENS) {
            throw CatalogueException.at(
                    line, "a " + what + " has " + tokens + " tokens; 1 to " + MAX_TOKENS + " are possible");
        }
    }

    /// Adds the blocks at the start of the last request's prompt.
    void addBlocks(int line, List<Integer> numbers, int tokens) {
        if (blockStart.length < size + 1) {
            blockStart = Arrays.copyOf(blockStart, Math.max(1024, 2 * (size + 1)));
        }
        int from = blockStart[size - 1];
        if (from + numbers.size() > blocks.length) {
            blocks = Arrays.copyOf(blocks, Math.max(1024, 2 * (from + numbers.size())));
        }
        for (int i = 0; i < numbers.size(); i++) {
            int number = numbers.get(i);
            if (number < 0 || number > 1 << 28) {
                throw CatalogueException.at(
                        line, "a block of a prompt has the number " + number + "; 0 to " + (1 << 28) + " are possible");
            }
            blocks[from + i] = number;
        }
        blockStart[size] = from + numbers.size();
        blockTokens = tokens;
    }

    /// Returns the seconds of the last request.
    double last() {
        return size == 0 ? 0 : seconds[size - 1];
    }

    RequestTrace finish() {
        if (size == 0) {
            throw CatalogueException.of("it contains no answered request");
        }
        if (failed > 0) {
            notes.add(PlanNote.of(PlanNote.Topic.FAILED_REQUESTS, failed));
        }
        double[] times = hasTimes ? Arrays.copyOf(seconds, size) : new double[0];
        if (hasTimes) {
            fromFirst(times);
            spread(times);
        }
        return new RequestTrace(
                times,
                Arrays.copyOf(input, size),
                Arrays.copyOf(output, size),
                Arrays.copyOf(blocks, blockTokens == 0 ? 0 : blockStart[size]),
                Arrays.copyOf(blockStart, blockTokens == 0 ? 0 : size + 1),
                blockTokens,
                notes);
    }

    private void fromFirst(double[] times) {
        double first = times[0];
        double before = 0;
        for (int i = 0; i < times.length; i++) {
            times[i] -= first;
            if (times[i] < before) {
                throw CatalogueException.of("request " + (i + 1) + " was sent " + (before - times[i])
                        + " seconds before the one in front of it; sort the trace by time");
            }
            before = times[i];
        }
    }

    /// Spreads requests that share a coarse time stamp evenly up to the next one.
    private void spread(double[] times) {
        int stamps = 1;
        for (int i = 1; i < times.length; i++) {
            stamps += times[i] > times[i - 1] ? 1 : 0;
        }
        if (stamps < 2 || times.length < COARSE * stamps) {
            return;
        }
        int from = 0;
        double width = 0;
        for (int i = 1; i <= times.length; i++) {
            if (i < times.length && times[i] == times[from]) {
                continue;
            }
            double start = times[from];
            width = i < times.length ? Math.min(WIDEST_STAMP, times[i] - start) : width;
            for (int j = from; j < i; j++) {
                times[j] = start + width * (j - from) / (i - from);
            }
            from = i;
        }
        notes.add(PlanNote.of(PlanNote.Topic.COARSE_TIMES, stamps, times.length));
    }
}
