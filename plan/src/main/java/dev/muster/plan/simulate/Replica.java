package dev.muster.plan.simulate;

import java.util.Arrays;

/// One replica of a model under an engine: its queue, what runs, its KV cache, and the run of like steps that it is in.
/// Confined to one thread.
///
/// Tokens are counted in units, which are whole tokens unless steps give fractions of them. A request that runs holds
/// its prompt and all it made but the last token, from the moment it is let in.
final class Replica {
    /// Hears what becomes of requests.
    interface Listener {
        /// Its last token is there.
        void finished(int request, long now);

        /// Its prompt is read, on a replica that does nothing else.
        void prefilled(int request, long now);
    }

    static final long IDLE = Long.MAX_VALUE;

    private final RequestTable table;
    private final SchedulerPolicy policy;
    private final StepTicks ticks;
    private final Listener listener;
    private final KvTimeline timeline;
    private final boolean isPrefillOnly;
    private final long room;
    private final int units;
    private final int growth;
    private final int rows;

    /// What arrived and was not looked at yet.
    private final RequestQueue inbox;
    private final RequestQueue waiting;
    private final RequestQueue running;
    /// Sequences that decode, by the step with which they end; some left without being taken out.
    private final EventHeap ends = new EventHeap();

    private int decoding;
    private int step;
    private long used;
    private long context;
    private long missing;
    /// The prompt that is read in part, and how far.
    private int partial = RequestTable.NONE;
    private int partialDone;

    /// What a batch is padded to; 0 where sequences have lengths of their own.
    private int batchInput;
    private int batchOutput;

    private int[] pieceRequests = new int[16];
    private int[] pieceTokens = new int[16];
    private int pieces;
    private int stepTokens;
    private long stepAttention;

    private int polled;
    private int waited;
    /// Whether the next step may choose otherwise though nothing happens.
    private boolean isUndecided;
    private boolean isLooking = true;

    private long start;
    private long end = IDLE;
    private int runSteps;
    private long firstStep;
    private long stepGrowth;
    private boolean decodes;

    private int preemptions;
    private long recomputed;

    Replica(
            RequestTable table,
            Deployment deployment,
            StepTicks ticks,
            boolean isPrefillOnly,
            KvTimeline timeline,
            Listener listener) {
        this.table = table;
        this.policy = deployment.policy();
        this.ticks = ticks;
        this.listener = listener;
        this.timeline = timeline;
        this.isPrefillOnly = isPrefillOnly;
        this.units = deployment.speculation().units();
        this.growth = deployment.speculation().growth();
        this.rows = deployment.speculation().rows();
        this.room = deployment.room() * units;
        this.inbox = new RequestQueue(table);
        this.waiting = new RequestQueue(table);
        this.running = new RequestQueue(table);
    }

    /// When its run of steps ends; [#IDLE] where there is none.
    long end() {
        return end;
    }

    int preemptions() {
        return preemptions;
    }

    long recomputed() {
        return recomputed;
    }

    /// Whether a request can ever run here.
    boolean holds(int request) {
        long full = (long) (table.input[request] + table.output[request] - 1) * units + growth;
        boolean isTooLong = !policy.isChunked()
                && policy.prompts() != SchedulerPolicy.Prompts.BATCH
                && table.input[request] - table.cached[request] > policy.tokenBudget();
        return full <= room && !isTooLong;
    }

    /// A request gets here. Ends the run with the step in which it is seen, if that matters.
    void arrive(int request, long now) {
        inbox.append(request);
        boolean isAdmitting = policy.prompts() != SchedulerPolicy.Prompts.BATCH
                && waiting.isEmpty()
                && running.size() < policy.maxSequences();
        boolean matters = isAdmitting || policy.pollSteps() > 1;
        if (end != IDLE && runSteps > 1 && matters) {
            cut(now);
        }
    }

    private void cut(long now) {
        int steps = stepsUntil(now - start);
        int polling = policy.pollSteps();
        if (polling > 1) {
            steps += Math.floorMod(-(polled + steps), polling);
        }
        if (steps < runSteps) {
            runSteps = steps;
            end = start + sum(steps);
        }
    }

    /// The least number of steps of the run that take as long as this, or longer.
    private int stepsUntil(long duration) {
        double slope = stepGrowth;
        double linear = firstStep - slope / 2;
        double guess = slope == 0
                ? (double) duration / firstStep
                : 2 * duration / (linear + Math.sqrt(linear * linear + 2 * slope * duration));
        int steps = (int) Math.max(1, Math.min(runSteps, Math.ceil(guess)));
        while (steps > 1 && sum(steps - 1) >= duration) {
            steps--;
        }
        while (steps < runSteps && sum(steps) < duration) {
            steps++;
        }
        return steps;
    }

    private long sum(long steps) {
        return steps * firstStep + stepGrowth * (steps * (steps - 1) / 2);
    }

    /// The run is over: its tokens are there.
    void finish() {
        long now = end;
        end = IDLE;
        timeline.add(start, now, used, decodes ? (long) decoding * growth * runSteps : 0, running.size());
        isLooking = pieces > 0;
        polled = (polled + runSteps - 1) % policy.pollSteps();
        if (decodes) {
            step += runSteps;
            long grown = (long) decoding * growth * runSteps;
            used += grown;
            context += grown;
            missing -= grown;
            while (ends.moment() <= step) {
                int request = ends.remove();
                if (table.decodeTo[request] != RequestTable.NOT_DECODING && table.decodeTo[request] <= step) {
                    leave(request);
                    listener.finished(request, now);
                }
            }
        }
        for (int i = 0; i < pieces; i++) {
            int request = pieceRequests[i];
            if (request == partial) {
                partialDone += pieceTokens[i];
                if (partialDone < need(request)) {
                    continue;
                }
                partial = RequestTable.NONE;
            }
            prefilled(request, now);
        }
        pieces = 0;
    }

    private void prefilled(int request, long now) {
        if (isPrefillOnly) {
            leave(request);
            listener.prefilled(request, now);
            return;
        }
        if (table.first[request] == RequestTable.NEVER) {
            table.first[request] = now;
        }
        decode(request);
        if (table.decodeTo[request] == step) {
            leave(request);
            listener.finished(request, now);
        }
    }

    /// Lets a request decode, whose KV cache is there.
    private void decode(int request) {
        int left = goal(request) - table.made[request];
        table.decodeFrom[request] = step;
        table.decodeTo[request] = step + Math.max(0, Math.ceilDiv(left, growth));
        decoding++;
        context += held(request);
        ends.add(table.decodeTo[request], request);
    }

    /// Takes a request out of what runs.
    private void leave(int request) {
        if (table.decodeTo[request] != RequestTable.NOT_DECODING) {
            table.made[request] += growth * (step - table.decodeFrom[request]);
            table.decodeTo[request] = RequestTable.NOT_DECODING;
            decoding--;
            context -= held(request);
        }
        used -= held(request);
        missing -= goal(request) - table.made[request];
        running.remove(request);
    }

    private long held(int request) {
        return (long) inputOf(request) * units + table.made[request] - units;
    }

    private int goal(int request) {
        return outputOf(request) * units;
    }

    /// Tokens of prompt, and of answer, that have to be computed before it decodes. Of a request that runs, whose first
    /// token is counted already.
    private int need(int request) {
        return needOf(request, table.made[request] - units);
    }

    private int needOf(int request, int made) {
        return Math.max(1, inputOf(request) + Math.ceilDiv(made, units) - table.cached[request]);
    }

    private int inputOf(int request) {
        return batchInput > 0 ? batchInput : table.input[request];
    }

    private int outputOf(int request) {
        return batchInput > 0 ? batchOutput : table.output[request];
    }

    /// Starts the next steps, if there is anything to do.
    void begin(long now) {
        look();
        isUndecided = false;
        stepTokens = 0;
        stepAttention = 0;
        switch (policy.prompts()) {
            case MIXED -> {
                boolean gaveWay = makeRoom();
                int budget = policy.tokenBudget() - decoding * rows;
                budget = resume(budget);
                if (!gaveWay) {
                    admit(budget, true);
                }
                decodes = decoding > 0;
            }
            case ALONE -> {
                admit(resume(policy.tokenBudget()), false);
                decodes = pieces == 0 && decoding > 0;
                if (decodes) {
                    makeRoom();
                }
            }
            case BATCH -> {
                if (running.isEmpty()) {
                    admitBatch();
                }
                decodes = pieces == 0 && decoding > 0;
            }
        }
        if (pieces == 0 && !decodes) {
            isLooking = true;
            return;
        }
        start = now;
        run();
        end = now + sum(runSteps);
    }

    private void look() {
        polled = isLooking || running.isEmpty() ? policy.pollSteps() : polled + 1;
        if (polled >= policy.pollSteps()) {
            polled = 0;
            waiting.takeAll(inbox);
        }
        isLooking = false;
    }

    private void run() {
        int sequences = decodes ? decoding : 0;
        long each = decodes ? ticks.context(sequences) : 0;
        stepGrowth = each * sequences * growth;
        if (pieces > 0) {
            runSteps = 1;
            firstStep = ticks.prompts(sequences, stepTokens) + stepAttention + each * context;
            return;
        }
        firstStep = ticks.decode(sequences) + each * context;
        long steps = Math.min(nextEnd() - step, (room - used) / ((long) sequences * growth));
        if (isUndecided) {
            steps = 1;
        } else if (!inbox.isEmpty()) {
            steps = Math.min(steps, policy.pollSteps() - polled);
        }
        runSteps = (int) steps;
    }

    private long nextEnd() {
        while (table.decodeTo[ends.request()] != ends.moment()) {
            ends.remove();
        }
        return ends.moment();
    }

    /// Makes room for a token of each sequence that decodes.
    ///
    /// @return whether sequences gave way
    private boolean makeRoom() {
        boolean gaveWay = false;
        while (decoding > 0 && used + (long) decoding * growth > room) {
            int request = running.tail();
            boolean isPartial = request == partial;
            leave(request);
            if (isPartial) {
                recomputed += partialDone;
                partial = RequestTable.NONE;
                table.made[request] -= units;
            } else {
                recomputed += held(request) / units;
            }
            table.isHandedOver[request] = false;
            waiting.prepend(request);
            preemptions++;
            gaveWay = true;
        }
        isUndecided |= gaveWay;
        return gaveWay;
    }

    /// Goes on with the prompt that is read in part.
    private int resume(int budget) {
        if (partial == RequestTable.NONE || budget <= 0) {
            return budget;
        }
        int tokens = Math.min(need(partial) - partialDone, budget);
        piece(partial, table.cached[partial] + partialDone, tokens);
        return budget - tokens;
    }

    private void piece(int request, int before, int tokens) {
        if (pieces == pieceRequests.length) {
            pieceRequests = Arrays.copyOf(pieceRequests, 2 * pieces);
            pieceTokens = Arrays.copyOf(pieceTokens, 2 * pieces);
        }
        pieceRequests[pieces] = request;
        pieceTokens[pieces] = tokens;
        pieces++;
        stepTokens += tokens;
        stepAttention += ticks.prompt(before, tokens);
    }

    private void admit(int budget, boolean isMixed) {
        if (budget <= 0 || waiting.isEmpty() || mustWait(budget, isMixed)) {
            return;
        }
        int left = budget;
        while (left > 0 && !waiting.isEmpty()) {
            int request = waiting.head();
            long step = isMixed ? (long) decoding * growth : 0;
            boolean isFirst = pieces == 0 && !(isMixed && decoding > 0);
            if (!isAdmitted(request, running.size(), used + step, missing, left, isFirst)) {
                return;
            }
            waiting.remove(request);
            left -= letIn(request, left);
        }
    }

    /// Whether new prompts wait for others, so that a step is worth its while.
    private boolean mustWait(int budget, boolean isMixed) {
        if (policy.waitSteps() == 0 || decoding == 0 || partial != RequestTable.NONE) {
            return false;
        }
        int tokens = 0;
        int left = budget;
        int count = running.size();
        long held = used + (isMixed ? (long) decoding * growth : 0);
        long rest = missing;
        for (int request = waiting.head();
                request != RequestTable.NONE && left > 0;
                request = waiting.behind(request)) {
            boolean isFirst = tokens == 0 && !isMixed;
            if (!isAdmitted(request, count, held, rest, left, isFirst)) {
                break;
            }
            int piece = Math.min(needWaiting(request), policy.isChunked() ? left : Integer.MAX_VALUE);
            tokens += piece;
            left -= piece;
            count++;
            held += heldWaiting(request) + (isMixed && table.isHandedOver[request] ? growth : 0);
            rest += restWaiting(request);
        }
        isUndecided = tokens > 0
                && waited < policy.waitSteps()
                && tokens + (long) decoding * rows < policy.waitShare() * policy.tokenBudget();
        if (tokens > 0) {
            waited = isUndecided ? waited + 1 : 0;
        }
        return isUndecided;
    }

    private boolean isAdmitted(int request, int count, long usedNow, long missingNow, int left, boolean isFirst) {
        if (count == 0) {
            return true;
        }
        int need = needWaiting(request);
        long held = heldWaiting(request) + (need == 0 ? growth : 0);
        return count < policy.maxSequences()
                && policy.admits(usedNow, missingNow, held, restWaiting(request), room)
                && (policy.isChunked() || need <= left || isFirst);
    }

    /// @return tokens of its prompt that this step reads
    private int letIn(int request, int left) {
        int need = needWaiting(request);
        if (!table.isHandedOver[request]) {
            table.made[request] += units;
        }
        running.append(request);
        used += held(request);
        missing += goal(request) - table.made[request];
        if (need == 0) {
            decode(request);
            return 0;
        }
        int tokens = policy.isChunked() ? Math.min(need, left) : need;
        piece(request, table.cached[request], tokens);
        if (tokens < need) {
            partial = request;
            partialDone = 0;
        }
        return tokens;
    }

    private int needWaiting(int request) {
        return table.isHandedOver[request] ? 0 : needOf(request, table.made[request]);
    }

    private long heldWaiting(int request) {
        return held(request) + (table.isHandedOver[request] ? 0 : units);
    }

    private long restWaiting(int request) {
        return (long) goal(request) - table.made[request] - (table.isHandedOver[request] ? 0 : units);
    }

    /// Pads a batch to its longest prompt and its longest answer.
    private void admitBatch() {
        batchInput = 0;
        int count = 0;
        int input = 0;
        int output = 0;
        for (int request = waiting.head();
                request != RequestTable.NONE && count < policy.maxSequences();
                request = waiting.behind(request)) {
            int longest = Math.max(input, table.input[request]);
            int most = Math.max(output, table.output[request]);
            if (count > 0 && (count + 1L) * ((long) (longest + most - 1) * units + growth) > room) {
                break;
            }
            input = longest;
            output = most;
            count++;
        }
        batchInput = input;
        batchOutput = output;
        for (int i = 0; i < count; i++) {
            int request = waiting.head();
            waiting.remove(request);
            table.cached[request] = 0;
            letIn(request, Integer.MAX_VALUE);
        }
    }
}
