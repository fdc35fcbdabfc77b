// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

/// The sequences that run on a replica, and what they hold of its KV cache. Confined to one thread.
///
/// Tokens are counted in units, which are whole tokens unless steps give fractions of them. A sequence that runs holds
/// its prompt and all it made but the last token, from the moment it is let in.
final class RunningSequences {
    private final RequestTable table;
    private final RequestQueue all;
    /// Those that decode, by the step with which they end; some left without being taken out.
    private final EventHeap ends = new EventHeap();

    private final int units;
    private final int growth;
    private int decoding;
    private int step;
    private long used;
    private long context;
    private long missing;
    /// What a batch is padded to; 0 where sequences have lengths of their own.
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

    /// The one that was let in last.
    int last() {
        return all.tail();
    }

    /// How many decode.
    int decoding() {
        return decoding;
    }

    /// Units that all hold.
    long used() {
        return used;
    }

    /// Units that those hold that decode.
    long context() {
        return context;
    }

    /// Units that are missing of all answers.
    long missing() {
        return missing;
    }

    /// Units that one step adds.
    long growth() {
        return (long) decoding * growth;
    }

    /// Pads all that is let in from now on to these lengths.
    void pad(int input, int output) {
        batchInput = input;
        batchOutput = output;
    }

    /// Lets a request in. What it will have made once its prompt is read counts at once.
    void add(int request) {
        if (!table.isHandedOver[request]) {
            table.made[request] += units;
        }
        all.append(request);
        used += held(request);
        missing += goal(request) - table.made[request];
    }

    /// Lets a sequence decode, whose KV cache is there.
    ///
    /// @return whether there is anything left to decode
    boolean decode(int request) {
        int left = goal(request) - table.made[request];
        table.decodeFrom[request] = step;
        table.decodeTo[request] = step + Math.max(0, Math.ceilDiv(left, growth));
        decoding++;
        context += held(request);
        ends.add(table.decodeTo[request], request);
        return left > 0;
    }

    /// Takes a sequence out.
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

    /// Takes a sequence out that has to be computed anew.
    void giveWay(int request) {
        boolean isRead = table.decodeTo[request] != RequestTable.NOT_DECODING;
        remove(request);
        if (!isRead) {
            table.made[request] -= units;
        }
        table.isHandedOver[request] = false;
    }

    /// So many steps that decode are over.
    void advance(int steps) {
        step += steps;
        long grown = growth() * steps;
        used += grown;
        context += grown;
        missing -= grown;
    }

    /// Takes out a sequence that is at its end, if there is one.
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

    /// Steps until the first of those that decode ends.
    long stepsToEnd() {
        while (table.decodeTo[ends.request()] != ends.moment()) {
            ends.remove();
        }
        return ends.moment() - step;
    }

    /// Tokens that have to be computed before a sequence decodes that was let in.
    int need(int request) {
        return need(request, table.made[request] - units);
    }

    /// Tokens that have to be computed before a request decodes that waits.
    int needOfWaiting(int request) {
        return table.isHandedOver[request] ? 0 : need(request, table.made[request]);
    }

    /// Units that a request will hold that waits.
    long heldOfWaiting(int request) {
        return held(request) + (table.isHandedOver[request] ? 0 : units);
    }

    /// Units that will be missing of the answer to a request that waits, once its prompt is read.
    long missingOfWaiting(int request) {
        return (long) goal(request) - table.made[request] - (table.isHandedOver[request] ? 0 : units);
    }

    /// Units that a sequence holds; of one that decodes, when it began to.
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
