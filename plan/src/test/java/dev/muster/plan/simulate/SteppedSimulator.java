// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import dev.muster.plan.serving.SimulationRequest.Router;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/// The rules of serving in the plainest code: one step after the other, lists, no summing, no caches. Slow, and
/// written independently of [Simulator], which has to agree with it to the tick. One file, so that all rules stand
/// together.
final class SteppedSimulator {
    private final Workload load;
    private final Deployment deployment;
    private final int units;
    private final int growth;
    private final int rows;
    private final List<Job> jobs = new ArrayList<>();
    private final List<Server> servers = new ArrayList<>();
    private final PriorityQueue<Coming> coming =
            new PriorityQueue<>(Comparator.comparingLong(Coming::moment).thenComparingInt(one -> one.job.number));
    private int sent;
    private int turn;
    private int decodeTurn;
    int rejected;
    int preemptions;

    private record Coming(long moment, Job job) {}

    static final class Job {
        final int number;
        int input;
        int output;
        int cached;
        long made;
        int read;
        long sentAt;
        long firstAt = -1;
        long finishedAt = -1;
        boolean isDecoding;
        boolean isHandedOver;
        Server server;

        Job(int number, int input, int output, Server server) {
            this.server = server;
            this.number = number;
            this.input = input;
            this.output = output;
        }
    }

    private record Piece(Job job, int before, int tokens) {}

    final class Server {
        final Deployment.Workers workers;
        final SchedulerPolicy policy;
        final boolean isPrefillOnly;
        final List<Job> inbox = new ArrayList<>();
        final Deque<Job> waiting = new ArrayDeque<>();
        final List<Job> running = new ArrayList<>();
        final Set<Integer> blocks = new HashSet<>();
        List<Piece> pieces = new ArrayList<>();
        List<Job> decoders = new ArrayList<>();
        boolean isBusy;
        long end;
        int assigned;
        int stepsSinceLook;
        boolean looksAnyway = true;
        int waitedSteps;

        Server(Deployment.Workers workers, boolean isPrefillOnly) {
            this.workers = workers;
            this.policy = workers.policy();
            this.isPrefillOnly = isPrefillOnly;
        }

        List<Job> decoding() {
            return running.stream().filter(job -> job.isDecoding).toList();
        }

        long used() {
            return running.stream().mapToLong(SteppedSimulator.this::held).sum();
        }

        long missing() {
            return running.stream()
                    .mapToLong(job -> (long) job.output * units - madeOnceRead(job))
                    .sum();
        }

        void start(long now) {
            stepsSinceLook = looksAnyway || running.isEmpty() ? policy.pollSteps() : stepsSinceLook + 1;
            looksAnyway = false;
            if (stepsSinceLook >= policy.pollSteps()) {
                stepsSinceLook = 0;
                waiting.addAll(inbox);
                inbox.clear();
            }
            pieces = new ArrayList<>();
            decoders = List.of();
            switch (policy.prompts()) {
                case MIXED -> {
                    boolean gaveWay = makeRoom();
                    fill(now, policy.tokenBudget() - decoding().size() * rows, !gaveWay, true);
                    decoders = decoding();
                }
                case ALONE -> {
                    fill(now, policy.tokenBudget(), true, false);
                    if (pieces.isEmpty()) {
                        makeRoom();
                        decoders = decoding();
                    }
                }
                case BATCH -> {
                    if (running.isEmpty()) {
                        batch();
                    } else {
                        decoders = decoding();
                    }
                }
            }
            if (pieces.isEmpty() && decoders.isEmpty()) {
                looksAnyway = true;
                return;
            }
            isBusy = true;
            end = now + duration();
        }

        private long duration() {
            StepTimes times = workers.times();
            int n = decoders.size();
            int tokens = pieces.stream().mapToInt(Piece::tokens).sum();
            long context =
                    decoders.stream().mapToLong(SteppedSimulator.this::held).sum();
            long ticks = StepTicks.ticks(times.rows(n * rows + tokens)) + StepTicks.ticks(times.sequences(n));
            if (n > 0) {
                ticks += context * StepTicks.ticks(times.contextToken(n) / units);
            }
            for (Piece piece : pieces) {
                ticks += StepTicks.ticks(times.prompt(piece.before, piece.tokens));
            }
            return pieces.isEmpty() ? ticks : ticks + StepTicks.ticks(times.promptStep());
        }

        private boolean makeRoom() {
            boolean gaveWay = false;
            while (!decoding().isEmpty() && used() + (long) decoding().size() * growth > workers.room() * units) {
                Job last = running.removeLast();
                last.isDecoding = false;
                last.isHandedOver = false;
                last.read = 0;
                waiting.addFirst(last);
                preemptions++;
                gaveWay = true;
            }
            return gaveWay;
        }

        private void fill(long now, int budget, boolean admits, boolean isMixed) {
            int left = budget;
            Job unfinished =
                    running.stream().filter(job -> !job.isDecoding).findFirst().orElse(null);
            if (unfinished != null && left > 0) {
                int tokens = Math.min(left, need(unfinished) - unfinished.read);
                pieces.add(new Piece(unfinished, unfinished.cached + unfinished.read, tokens));
                left -= tokens;
            }
            if (!admits || left <= 0) {
                return;
            }
            boolean hadDecoders = !decoding().isEmpty();
            List<Job> chosen = new ArrayList<>();
            int rest = left;
            int tokens = 0;
            for (Job job : waiting) {
                if (rest <= 0 || !isLetIn(job, chosen, isMixed, rest)) {
                    break;
                }
                chosen.add(job);
                int piece = policy.isChunked() ? Math.min(rest, need(job)) : need(job);
                tokens += piece;
                rest -= piece;
            }
            if (policy.waitSteps() > 0 && hadDecoders && unfinished == null && tokens > 0) {
                int all = tokens + decoding().size() * rows;
                if (waitedSteps < policy.waitSteps() && all < policy.waitShare() * policy.tokenBudget()) {
                    waitedSteps++;
                    return;
                }
                waitedSteps = 0;
            }
            for (Job job : chosen) {
                waiting.removeFirst();
                running.add(job);
                job.read = 0;
                if (need(job) == 0) {
                    job.firstAt = now;
                    job.isDecoding = true;
                } else {
                    int piece = policy.isChunked() ? Math.min(left, need(job)) : need(job);
                    pieces.add(new Piece(job, job.cached, piece));
                    left -= piece;
                }
            }
        }

        private boolean isLetIn(Job job, List<Job> chosen, boolean isMixed, int left) {
            if (running.isEmpty() && chosen.isEmpty()) {
                return true;
            }
            if (running.size() + chosen.size() >= policy.maxSequences()) {
                return false;
            }
            long used = used();
            long missing = missing();
            int decoders = decoding().size();
            int prompts = 0;
            for (Job other : chosen) {
                used += held(other);
                missing += (long) other.output * units - madeOnceRead(other);
                decoders += need(other) == 0 ? 1 : 0;
                prompts += need(other) == 0 ? 0 : 1;
            }
            if (isMixed) {
                used += (long) decoders * growth;
            }
            long own = held(job) + (need(job) == 0 ? growth : 0);
            long rest = (long) job.output * units - madeOnceRead(job);
            boolean hasRoom = used + policy.runningOutputShare() * missing + own + policy.newOutputShare() * rest
                    <= workers.room() * units;
            boolean isAlone = prompts == 0 && pieces.isEmpty() && !(isMixed && decoders > 0);
            return hasRoom && (policy.isChunked() || need(job) <= left || isAlone);
        }

        private void batch() {
            List<Job> chosen = new ArrayList<>();
            int input = 0;
            int output = 0;
            for (Job job : waiting) {
                int longest = Math.max(input, load.input[job.number]);
                int most = Math.max(output, load.output[job.number]);
                long all = (chosen.size() + 1) * ((long) (longest + most - 1) * units + growth);
                if (chosen.size() >= policy.maxSequences() || (!chosen.isEmpty() && all > workers.room() * units)) {
                    break;
                }
                chosen.add(job);
                input = longest;
                output = most;
            }
            for (Job job : chosen) {
                waiting.removeFirst();
                job.input = input;
                job.output = output;
                job.cached = 0;
                running.add(job);
                pieces.add(new Piece(job, 0, input));
            }
        }

        void end(long now) {
            isBusy = false;
            looksAnyway = !pieces.isEmpty();
            for (Job job : decoders) {
                job.made += growth;
                finishIfDone(job, now);
            }
            for (Piece piece : pieces) {
                Job job = piece.job;
                job.read += piece.tokens;
                if (job.read < need(job)) {
                    continue;
                }
                job.made += units;
                job.isDecoding = true;
                if (isPrefillOnly) {
                    handOver(job, now);
                } else {
                    job.firstAt = job.firstAt < 0 ? now : job.firstAt;
                    finishIfDone(job, now);
                }
            }
        }

        private void handOver(Job job, long now) {
            running.remove(job);
            job.isDecoding = false;
            if (job.output == 1) {
                job.firstAt = now;
                finish(job, now);
                return;
            }
            assigned--;
            job.isHandedOver = true;
            job.cached = 0;
            double seconds =
                    deployment.transfer().latency() + deployment.transfer().perToken() * job.input;
            coming.add(new Coming(now + StepTicks.ticks(seconds), job));
        }

        private void finishIfDone(Job job, long now) {
            if (job.made >= (long) job.output * units) {
                running.remove(job);
                finish(job, now);
            }
        }
    }

    SteppedSimulator(Workload load, Deployment deployment) {
        this.load = load;
        this.deployment = deployment;
        this.rows = deployment.speculation().draft() + 1;
        this.units = rows == 1 ? 1 : 16;
        this.growth = (int) Math.rint(deployment.speculation().tokens() * units);
        for (int i = 0; i < deployment.workers().replicas(); i++) {
            servers.add(new Server(deployment.workers(), deployment.decode().replicas() > 0));
        }
        for (int i = 0; i < deployment.decode().replicas(); i++) {
            servers.add(new Server(deployment.decode(), false));
        }
        for (int i = 0; i < load.size(); i++) {
            jobs.add(new Job(i, load.input[i], load.output[i], servers.getFirst()));
        }
    }

    List<Job> run() {
        if (load.isClosedLoop()) {
            for (int i = 0; i < Math.min(load.users, jobs.size()); i++) {
                send(0);
            }
        }
        while (true) {
            long now = coming.isEmpty() ? Long.MAX_VALUE : coming.peek().moment;
            if (!load.isClosedLoop() && sent < jobs.size()) {
                now = Math.min(now, load.sent[sent]);
            }
            for (Server server : servers) {
                now = server.isBusy ? Math.min(now, server.end) : now;
            }
            if (now == Long.MAX_VALUE) {
                return jobs;
            }
            for (Server server : servers) {
                if (server.isBusy && server.end == now) {
                    server.end(now);
                }
            }
            while (!load.isClosedLoop() && sent < jobs.size() && load.sent[sent] <= now) {
                send(now);
            }
            while (!coming.isEmpty() && coming.peek().moment <= now) {
                arrive(coming.remove().job, now);
            }
            for (Server server : servers) {
                if (!server.isBusy) {
                    server.start(now);
                }
            }
        }
    }

    /// Returns the KV cache of a running job, from its admission on.
    private long held(Job job) {
        return (long) job.input * units + madeOnceRead(job) - units;
    }

    private long madeOnceRead(Job job) {
        return job.made + (job.isDecoding || job.isHandedOver ? 0 : units);
    }

    private int need(Job job) {
        return job.isHandedOver ? 0 : Math.max(1, job.input + (int) Math.ceilDiv(job.made, (long) units) - job.cached);
    }

    private void send(long now) {
        Job job = jobs.get(sent++);
        job.sentAt = now;
        Deployment.ClientDelay client = deployment.client();
        int each = Math.ceilDiv(load.users, deployment.workers().replicas());
        double seconds = client.fixed() + client.perUser() * each + client.perToken() * job.input;
        coming.add(new Coming(now + StepTicks.ticks(seconds), job));
    }

    private void arrive(Job job, long now) {
        if (job.isHandedOver) {
            List<Server> decoders = servers.subList(deployment.workers().replicas(), servers.size());
            job.server = deployment.router() == Router.LEAST_LOADED
                    ? least(decoders)
                    : decoders.get(decodeTurn++ % decoders.size());
            job.server.assigned++;
            job.server.inbox.add(job);
            return;
        }
        job.server = route(job);
        job.cached = cached(job);
        SchedulerPolicy policy = deployment.workers().policy();
        boolean isTooLong = !policy.isChunked()
                && policy.prompts() != SchedulerPolicy.Prompts.BATCH
                && job.input - job.cached > policy.tokenBudget();
        long room = deployment.workers().room();
        if (deployment.decode().replicas() > 0) {
            room = Math.min(room, deployment.decode().room());
        }
        if (isTooLong || (long) (job.input + job.output - 1) * units + growth > room * units) {
            rejected++;
            next(now);
            return;
        }
        job.server.assigned++;
        job.server.inbox.add(job);
    }

    private Server route(Job job) {
        List<Server> readers = servers.subList(0, deployment.workers().replicas());
        if (readers.size() == 1) {
            return readers.getFirst();
        }
        if (deployment.router() == Router.LEAST_LOADED) {
            return least(readers);
        }
        if (deployment.router() == Router.PREFIX && load.hasBlocks()) {
            Server least = least(readers);
            Server best = readers.stream()
                    .max(Comparator.comparingInt((Server server) -> hits(job, server))
                            .thenComparingInt(server -> -readers.indexOf(server)))
                    .orElseThrow();
            int most =
                    readers.stream().mapToInt(server -> server.assigned).max().orElseThrow();
            boolean isUneven = most - least.assigned > 64 && most > 1.5 * least.assigned;
            int blocks = load.blockStart[job.number + 1] - load.blockStart[job.number];
            return isUneven || hits(job, best) <= 0.3 * blocks ? least : best;
        }
        return readers.get(turn++ % readers.size());
    }

    private static Server least(List<Server> servers) {
        return servers.stream()
                .min(Comparator.comparingInt(server -> server.assigned))
                .orElseThrow();
    }

    private int cached(Job job) {
        if (!load.hasBlocks()) {
            return Math.min(job.input - 1, (int) (deployment.prefixHit() * job.input));
        }
        int hits = hits(job, job.server);
        for (int i = load.blockStart[job.number]; i < load.blockStart[job.number + 1]; i++) {
            job.server.blocks.add(load.blocks[i]);
        }
        return Math.min(job.input - 1, hits * load.blockTokens);
    }

    private int hits(Job job, Server server) {
        int hits = 0;
        boolean isPrefix = true;
        for (int i = load.blockStart[job.number]; i < load.blockStart[job.number + 1]; i++) {
            isPrefix &= server.blocks.contains(load.blocks[i]);
            hits += isPrefix ? 1 : 0;
        }
        return hits;
    }

    private void finish(Job job, long now) {
        job.finishedAt = now;
        job.server.assigned--;
        next(now);
    }

    private void next(long now) {
        if (load.isClosedLoop() && sent < jobs.size()) {
            send(now);
        }
    }
}
