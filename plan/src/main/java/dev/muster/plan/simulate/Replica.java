// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

/// One replica of a model under an engine: its queue, its running sequences, and its current run of equal steps.
/// Confined to one thread.
final class Replica {
    /// A listener for the progress of requests.
    interface Listener {
        /// Called when the last token of a request is done.
        void finished(int request, long now);

        /// Called when a prompt is done on a replica for prefill only.
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

    /// Requests that arrived and were not seen yet.
    private final RequestQueue inbox;
    private final RequestQueue waiting;
    private final RunningSequences running;
    /// The prompt that is processed in part, and its progress.
    private int partial = RequestTable.NONE;
    private int partialDone;

    private final PromptPieces pieces;

    private int polled;
    private int waited;
    /// True if the next step may choose differently without an event.
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
            Deployment.Workers workers,
            Deployment deployment,
            StepTicks ticks,
            boolean isPrefillOnly,
            KvTimeline timeline,
            Listener listener) {
        this.table = table;
        this.policy = workers.policy();
        this.ticks = ticks;
        this.pieces = new PromptPieces(ticks);
        this.listener = listener;
        this.timeline = timeline;
        this.isPrefillOnly = isPrefillOnly;
        this.units = deployment.units();
        this.growth = deployment.growth();
        this.rows = deployment.rows();
        this.room = workers.room() * units;
        this.inbox = new RequestQueue(table);
        this.waiting = new RequestQueue(table);
        this.running = new RunningSequences(table, units, growth);
    }

    /// Returns the end of its run of steps; [#IDLE] if there is none.
    long end() {
        return end;
    }

    int preemptions() {
        return preemptions;
    }

    long recomputed() {
        return recomputed;
    }

    /// Reports whether a request can ever fit the KV cache.
    boolean hasRoom(int request) {
        return (long) (table.input[request] + table.output[request] - 1) * units + growth <= room;
    }

    /// Reports whether a request can ever run here from its prompt on.
    boolean holds(int request) {
        boolean isTooLong = !policy.isChunked()
                && policy.prompts() != SchedulerPolicy.Prompts.BATCH
                && table.input[request] - table.cached[request] > policy.tokenBudget();
        return hasRoom(request) && !isTooLong;
    }

    /// Accepts a request. Ends the run with the step in which it is seen, if that matters.
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

    /// Returns the least number of steps of the run with at least a duration.
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

    /// Ends the run and counts its tokens.
    void finish() {
        long now = end;
        end = IDLE;
        long grown = decodes ? running.growth() * runSteps : 0;
        timeline.add(start, now, running.used(), grown, running.size(), room);
        isLooking = !pieces.isEmpty();
        polled = (polled + runSteps - 1) % policy.pollSteps();
        if (decodes) {
            running.advance(runSteps);
            for (int request = running.removeEnded(); request != RequestTable.NONE; request = running.removeEnded()) {
                listener.finished(request, now);
            }
        }
        for (int i = 0; i < pieces.size(); i++) {
            int request = pieces.request(i);
            if (request == partial) {
                partialDone += pieces.tokens(i);
                if (partialDone < running.need(request)) {
                    continue;
                }
                partial = RequestTable.NONE;
            }
            prefilled(request, now);
        }
        pieces.clear();
    }

    private void prefilled(int request, long now) {
        if (isPrefillOnly) {
            running.remove(request);
            listener.prefilled(request, now);
            return;
        }
        if (table.first[request] == RequestTable.NEVER) {
            table.first[request] = now;
        }
        if (!running.decode(request)) {
            running.remove(request);
            listener.finished(request, now);
        }
    }

    /// Starts the next steps, if there is work.
    void begin(long now) {
        start = now;
        look();
        isUndecided = false;
        switch (policy.prompts()) {
            case MIXED -> {
                boolean gaveWay = makeRoom();
                int budget = policy.tokenBudget() - running.decoding() * rows;
                budget = resume(budget);
                if (!gaveWay) {
                    admit(budget, true);
                }
                decodes = running.decoding() > 0;
            }
            case ALONE -> {
                admit(resume(policy.tokenBudget()), false);
                decodes = pieces.isEmpty() && running.decoding() > 0;
                if (decodes) {
                    makeRoom();
                }
            }
            case BATCH -> {
                if (running.size() == 0) {
                    admitBatch();
                }
                decodes = pieces.isEmpty() && running.decoding() > 0;
            }
        }
        if (pieces.isEmpty() && !decodes) {
            isLooking = true;
            return;
        }
        run();
        end = now + sum(runSteps);
    }

    private void look() {
        polled = isLooking || running.size() == 0 ? policy.pollSteps() : polled + 1;
        if (polled >= policy.pollSteps()) {
            polled = 0;
            waiting.takeAll(inbox);
        }
        isLooking = false;
    }

    private void run() {
        int sequences = decodes ? running.decoding() : 0;
        long each = decodes ? ticks.context(sequences) : 0;
        stepGrowth = each * sequences * growth;
        if (!pieces.isEmpty()) {
            runSteps = 1;
            firstStep = pieces.step(sequences) + each * running.context();
            return;
        }
        firstStep = ticks.decode(sequences) + each * running.context();
        long steps = Math.min(running.stepsToEnd(), (room - running.used()) / running.growth());
        if (isUndecided) {
            steps = 1;
        } else if (!inbox.isEmpty()) {
            steps = Math.min(steps, policy.pollSteps() - polled);
        }
        runSteps = (int) steps;
    }

    /// Makes room for a token of each sequence in decode.
    ///
    /// @return true if sequences were preempted
    private boolean makeRoom() {
        boolean gaveWay = false;
        while (running.decoding() > 0 && running.used() + running.growth() > room) {
            int request = running.last();
            running.preempt(request);
            recomputed += request == partial ? partialDone : running.held(request) / units;
            partial = request == partial ? RequestTable.NONE : partial;
            waiting.prepend(request);
            preemptions++;
            gaveWay = true;
        }
        isUndecided |= gaveWay;
        return gaveWay;
    }

    /// Continues the prompt that is processed in part.
    private int resume(int budget) {
        if (partial == RequestTable.NONE || budget <= 0) {
            return budget;
        }
        int tokens = Math.min(running.need(partial) - partialDone, budget);
        pieces.add(partial, table.cached[partial] + partialDone, tokens);
        return budget - tokens;
    }

    private void admit(int budget, boolean isMixed) {
        if (budget <= 0 || waiting.isEmpty() || mustWait(budget, isMixed)) {
            return;
        }
        int left = budget;
        while (left > 0 && !waiting.isEmpty()) {
            int request = waiting.head();
            long now = running.used() + (isMixed ? running.growth() : 0);
            boolean isFirst = pieces.isEmpty() && !(isMixed && running.decoding() > 0);
            if (!isAdmitted(request, running.size(), now, running.missing(), left, isFirst)) {
                return;
            }
            waiting.remove(request);
            left -= admitOne(request, left);
        }
    }

    /// Reports whether new prompts wait for others to fill a step.
    private boolean mustWait(int budget, boolean isMixed) {
        if (policy.waitSteps() == 0 || running.decoding() == 0 || partial != RequestTable.NONE) {
            return false;
        }
        int tokens = 0;
        int left = budget;
        int count = running.size();
        long held = running.used() + (isMixed ? running.growth() : 0);
        long rest = running.missing();
        for (int request = waiting.head();
                request != RequestTable.NONE && left > 0;
                request = waiting.behind(request)) {
            boolean isFirst = tokens == 0 && !isMixed;
            if (!isAdmitted(request, count, held, rest, left, isFirst)) {
                break;
            }
            int piece = Math.min(running.needOfWaiting(request), policy.isChunked() ? left : Integer.MAX_VALUE);
            tokens += piece;
            left -= piece;
            count++;
            held += running.heldOfWaiting(request) + (isMixed && table.isHandedOver[request] ? growth : 0);
            rest += running.missingOfWaiting(request);
        }
        isUndecided = tokens > 0
                && waited < policy.waitSteps()
                && tokens + (long) running.decoding() * rows < policy.waitShare() * policy.tokenBudget();
        if (tokens > 0) {
            waited = isUndecided ? waited + 1 : 0;
        }
        return isUndecided;
    }

    private boolean isAdmitted(int request, int count, long usedNow, long missingNow, int left, boolean isFirst) {
        if (count == 0) {
            return true;
        }
        int need = running.needOfWaiting(request);
        long held = running.heldOfWaiting(request) + (need == 0 ? growth : 0);
        return count < policy.maxSequences()
                && policy.admits(usedNow, missingNow, held, running.missingOfWaiting(request), room)
                && (policy.isChunked() || need <= left || isFirst);
    }

    /// @return prompt tokens in this step
    private int admitOne(int request, int left) {
        int need = running.needOfWaiting(request);
        running.add(request);
        if (need == 0) {
            // The worker that continues a request sends the prefill's result to the client.
            table.first[request] = start;
            running.decode(request);
            return 0;
        }
        int tokens = policy.isChunked() ? Math.min(need, left) : need;
        pieces.add(request, table.cached[request], tokens);
        if (tokens < need) {
            partial = request;
            partialDone = 0;
        }
        return tokens;
    }

    /// Pads a batch to its longest prompt and its longest answer.
    private void admitBatch() {
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
        running.pad(input, output);
        for (int i = 0; i < count; i++) {
            int request = waiting.head();
            waiting.remove(request);
            table.cached[request] = 0;
            admitOne(request, Integer.MAX_VALUE);
        }
    }
}
