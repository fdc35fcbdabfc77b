// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import java.util.Arrays;

/// What is known of each request while it is played through: columns instead of objects, since there may be millions.
/// Confined to one thread.
final class RequestTable {
    static final int NONE = -1;
    static final int NOT_DECODING = -1;
    static final long NEVER = -1;

    final int[] input;
    final int[] output;
    /// Ticks.
    final long[] sent;
    final long[] first;
    final long[] finished;
    /// Tokens of the prompt whose KV cache is there already.
    final int[] cached;
    /// Units of tokens that were made; of a request that runs, once its prompt is read or when it began to decode.
    final int[] made;
    /// The step at which it began to decode, and the one with which it ends.
    final int[] decodeFrom;
    final int[] decodeTo;
    /// Whether its KV cache was computed by another replica.
    final boolean[] isHandedOver;
    /// Neighbours in the queue or the list that it is in.
    final int[] next;
    final int[] previous;

    RequestTable(Workload load) {
        int size = load.size();
        this.input = load.input;
        this.output = load.output;
        this.sent = new long[size];
        this.first = new long[size];
        this.finished = new long[size];
        this.cached = new int[size];
        this.made = new int[size];
        this.decodeFrom = new int[size];
        this.decodeTo = new int[size];
        this.isHandedOver = new boolean[size];
        this.next = new int[size];
        this.previous = new int[size];
        Arrays.fill(first, NEVER);
        Arrays.fill(finished, NEVER);
        Arrays.fill(decodeTo, NOT_DECODING);
    }
}
