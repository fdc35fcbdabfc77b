// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import java.util.Arrays;

/// The pieces of prompts that a step reads. Confined to one thread.
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
    /// @param before tokens of the prompt that are there already
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

    /// Ticks of a step that reads them, without contexts.
    ///
    /// @param sequences sequences that decode beside
    long step(int sequences) {
        return ticks.prompts(sequences, sum) + attention;
    }
}
