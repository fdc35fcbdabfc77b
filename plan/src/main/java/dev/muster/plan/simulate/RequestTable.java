// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import java.util.Arrays;

/// The state of each request during a simulation: columns instead of objects, since there may be millions. Confined
/// to one thread.
final class RequestTable {
    static final int NONE = -1;
    static final int NOT_DECODING = -1;
    static final long NEVER = -1;

    final int[] input;
    final int[] output;
    /// Send times, in ticks.
    final long[] sent;
    final long[] first;
    final long[] finished;
    /// Tokens of the prompt whose KV cache exists already.
    final int[] cached;
    /// Units of tokens that were generated; of a running request, at the end of its prompt or at the start of decode.
    final int[] made;
    /// The step at which decode began, and the one with which it ends.
    final int[] decodeFrom;
    final int[] decodeTo;
    /// True if its KV cache was computed by another replica.
    final boolean[] isHandedOver;
    /// Neighbours in its queue or list.
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
