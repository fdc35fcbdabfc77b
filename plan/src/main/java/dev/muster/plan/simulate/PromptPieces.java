// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import java.util.Arrays;

/// The pieces of prompts of a step. Confined to one thread.
final class PromptPieces {
    private final StepTicks ticks;
    private int[] requests = new int[16];
    private int[] tokens = new int[16];
    private int size;
    private int sum;
    private long attention;

    PromptPieces(StepTicks ticks) {
        this.ticks = ticks;
    }

    void clear() {
        size = 0;
        sum = 0;
        attention = 0;
    }

    /// Adds a piece.
    ///
    /// @param before tokens of the prompt that are cached already
    void add(int request, int before, int count) {
        if (size == requests.length) {
            requests = Arrays.copyOf(requests, 2 * size);
            tokens = Arrays.copyOf(tokens, 2 * size);
        }
        requests[size] = request;
        tokens[size] = count;
        size++;
        sum += count;
        attention += ticks.prompt(before, count);
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int request(int index) {
        return requests[index];
    }

    int tokens(int index) {
        return tokens[index];
    }

    /// Returns the ticks of a step with these pieces, without contexts.
    ///
    /// @param sequences sequences in decode in the same step
    long step(int sequences) {
        return ticks.prompts(sequences, sum) + attention;
    }
}
