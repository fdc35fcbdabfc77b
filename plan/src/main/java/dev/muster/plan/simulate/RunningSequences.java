// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

/// The running sequences of a replica, and their share of its KV cache. Confined to one thread.
///
/// Tokens are counted in units, which are whole tokens unless steps give fractions of them. A running sequence holds
/// its prompt and all its tokens but the last, from the time it is admitted.
final class RunningSequences {
    private final RequestTable table;
    private final RequestQueue all;
    /// Sequences in decode, by the step with which they end; some were removed elsewhere and stay here.
    private final EventHeap ends = new EventHeap();

    private final int units;
    private final int growth;
    private int decoding;
    private int step;
    private long used;
    private long context;
    private long missing;
    /// The padded prompt length of a batch; 0 if sequences have lengths of their own.
    private int batchInput;
    private int batchOutput;

    RunningSequences(RequestTable table, int units, int growth) {
        this.table = table;
        this.all = new RequestQueue(table);
        this.units = units;
        this.growth = growth;
    }

    int size() {
        return all.size();
    }

    /// Returns the sequence that was admitted last.
    int last() {
        return all.tail();
    }

    int decoding() {
        return decoding;
    }

    /// Returns the units that all sequences hold.
    long used() {
        return used;
    }

    /// Returns the units that sequences in decode hold.
    long context() {
        return context;
    }

    /// Returns the units missing from all answers.
    long missing() {
        return missing;
    }

    /// Returns the units that one step adds.
    long growth() {
        return (long) decoding * growth;
    }

    /// Pads all sequences admitted from now on to these lengths.
    void pad(int input, int output) {
        batchInput = input;
        batchOutput = output;
    }

    /// Admits a request. The tokens at the end of its prompt count at once.
    void add(int request) {
        if (!table.isHandedOver[request]) {
            table.made[request] += units;
        }
        all.append(request);
        used += held(request);
        missing += goal(request) - table.made[request];
    }

    /// Starts the decode of a sequence whose KV cache exists.
    ///
    /// @return true if anything is left to decode
    boolean decode(int request) {
        int left = goal(request) - table.made[request];
        table.decodeFrom[request] = step;
        table.decodeTo[request] = step + Math.max(0, Math.ceilDiv(left, growth));
        decoding++;
        context += held(request);
        ends.add(table.decodeTo[request], request);
        return left > 0;
    }

    void remove(int request) {
        if (table.decodeTo[request] != RequestTable.NOT_DECODING) {
            table.made[request] += growth * (step - table.decodeFrom[request]);
            table.decodeTo[request] = RequestTable.NOT_DECODING;
            decoding--;
            context -= held(request);
        }
        used -= held(request);
        missing -= goal(request) - table.made[request];
        all.remove(request);
    }

    /// Preempts a sequence, which has to be recomputed.
    void preempt(int request) {
        boolean isRead = table.decodeTo[request] != RequestTable.NOT_DECODING;
        remove(request);
        if (!isRead) {
            table.made[request] -= units;
        }
        table.isHandedOver[request] = false;
    }

    /// Advances all sequences in decode by some steps.
    void advance(int steps) {
        step += steps;
        long grown = growth() * steps;
        used += grown;
        context += grown;
        missing -= grown;
    }

    /// Removes a sequence that has ended, if there is one.
    int removeEnded() {
        while (ends.moment() <= step) {
            int request = ends.remove();
            if (table.decodeTo[request] != RequestTable.NOT_DECODING && table.decodeTo[request] <= step) {
                remove(request);
                return request;
            }
        }
        return RequestTable.NONE;
    }

    /// Returns the steps until the first sequence in decode ends.
    long stepsToEnd() {
        while (table.decodeTo[ends.request()] != ends.moment()) {
            ends.remove();
        }
        return ends.moment() - step;
    }

    /// Returns the tokens to compute before an admitted sequence can decode.
    int need(int request) {
        return need(request, table.made[request] - units);
    }

    /// Returns the tokens to compute before a waiting request can decode.
    int needOfWaiting(int request) {
        return table.isHandedOver[request] ? 0 : need(request, table.made[request]);
    }

    /// Returns the units that a waiting request will hold.
    long heldOfWaiting(int request) {
        return held(request) + (table.isHandedOver[request] ? 0 : units);
    }

    /// Returns the units that will be missing from the answer of a waiting request at the end of its prompt.
    long missingOfWaiting(int request) {
        return (long) goal(request) - table.made[request] - (table.isHandedOver[request] ? 0 : units);
    }

    /// Returns the units of a sequence; of one in decode, those at its start.
    long held(int request) {
        int input = batchInput > 0 ? batchInput : table.input[request];
        return (long) input * units + table.made[request] - units;
    }

    private int goal(int request) {
        return (batchInput > 0 ? batchOutput : table.output[request]) * units;
    }

    private int need(int request, int made) {
        int input = batchInput > 0 ? batchInput : table.input[request];
        return Math.max(1, input + Math.ceilDiv(made, units) - table.cached[request]);
    }
}
