// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import dev.muster.plan.serving.Slo;
import dev.muster.plan.time.Interruption;
import java.util.Arrays;
import java.util.BitSet;

/// A discrete-event simulation of a load on a deployment. At one time, steps end first, then requests arrive, then
/// steps begin. Holds its state; confined to one thread and used once.
public final class Simulator implements Replica.Listener {
    /// Constants of SGLang's router (cache_aware): the least known share of a prompt, and the imbalance of replicas
    /// that overrides it.
    private static final double WORTH_IT = 0.3;

    private static final int UNEVEN_BY = 64;
    private static final double UNEVEN_TIMES = 1.5;

    /// Half of the range of ticks, so that no sum overflows.
    static final long LONGEST = 1L << 62;

    private final Workload load;
    private final Deployment deployment;
    private final RequestTable table;
    private final KvTimeline timeline = new KvTimeline();
    private final Replica[] replicas;
    /// The end of each replica's run of steps.
    private final long[] ends;

    private final int[] assigned;
    private final int[] replicaOf;
    private final BitSet[] known;
    private final EventHeap arriving = new EventHeap();
    private int turns;
    private int decodeTurns;
    private int nextSent;
    private int rejected;
    private final ServiceWatch watch;
    private final int usersEach;

    private Simulator(Workload load, Deployment deployment, ServiceWatch watch) {
        this.load = load;
        this.deployment = deployment;
        this.watch = watch;
        this.usersEach = Math.ceilDiv(load.users, deployment.workers().replicas());
        this.table = new RequestTable(load);
        int prefill = deployment.workers().replicas();
        this.replicas = new Replica[prefill + deployment.decode().replicas()];
        StepTicks ticks = ticks(deployment.workers());
        StepTicks decodeTicks = ticks(deployment.decode());
        for (int i = 0; i < replicas.length; i++) {
            replicas[i] = i < prefill
                    ? replica(deployment.workers(), ticks, deployment.isApart())
                    : replica(deployment.decode(), decodeTicks, false);
        }
        this.ends = new long[replicas.length];
        Arrays.fill(ends, Replica.IDLE);
        this.assigned = new int[replicas.length];
        this.replicaOf = new int[load.size()];
        this.known = new BitSet[load.hasBlocks() ? prefill : 0];
        Arrays.setAll(known, _ -> new BitSet(load.blockCount()));
    }

    private StepTicks ticks(Deployment.Workers workers) {
        return new StepTicks(workers.times(), deployment.rows(), deployment.units());
    }

    private Replica replica(Deployment.Workers workers, StepTicks ticks, boolean isPrefillOnly) {
        return new Replica(table, workers, deployment, ticks, isPrefillOnly, timeline, this);
    }

    /// Simulates a load to the last answer.
    ///
    /// @throws IllegalArgumentException if that takes longer than can be counted
    public static SimulatedRun run(Workload load, Deployment deployment) {
        return run(load, deployment, Slo.NONE);
    }

    /// Simulates a load to the last answer or until an objective is certainly missed, as by a request that no replica
    /// can hold.
    ///
    /// @throws IllegalArgumentException if that takes longer than can be counted
    public static SimulatedRun run(Workload load, Deployment deployment, Slo slo) {
        Simulator simulator = new Simulator(load, deployment, new ServiceWatch(slo, load));
        simulator.play();
        return simulator.result();
    }

    private void play() {
        if (load.isClosedLoop()) {
            for (int i = Math.min(load.users, load.size()); i > 0; i--) {
                send(0);
            }
        }
        while (!watch.isLost()) {
            Interruption.check();
            long now = Math.min(nextSent(), arriving.moment());
            for (long end : ends) {
                now = Math.min(now, end);
            }
            if (now == Long.MAX_VALUE) {
                return;
            }
            if (now > LONGEST) {
                throw new IllegalArgumentException(
                        "the requests take more than 48 days to be answered; simulate fewer");
            }
            finish(now);
            while (nextSent() <= now) {
                send(now);
            }
            while (arriving.moment() <= now) {
                arrive(arriving.remove(), now);
            }
            finish(now);
            for (int i = 0; i < ends.length; i++) {
                if (ends[i] == Replica.IDLE) {
                    replicas[i].begin(now);
                    ends[i] = replicas[i].end();
                }
            }
        }
    }

    private void finish(long now) {
        for (int i = 0; i < ends.length; i++) {
            if (ends[i] == now) {
                replicas[i].finish();
                ends[i] = replicas[i].end();
            }
        }
    }

    /// Returns the send time of the next request of a timed load.
    private long nextSent() {
        return nextSent < load.sent.length ? load.sent[nextSent] : Long.MAX_VALUE;
    }

    private void send(long now) {
        int request = nextSent++;
        table.sent[request] = now;
        arriving.add(now + deployment.client().ticks(usersEach, table.input[request]), request);
    }

    private void arrive(int request, long now) {
        if (table.isHandedOver[request]) {
            assign(request, decodeReplica(), now);
            return;
        }
        int replica = replica(request);
        table.cached[request] = cached(request, replica);
        if (!replicas[replica].holds(request) || !replicas[replicas.length - 1].hasRoom(request)) {
            rejected++;
            watch.rejected();
            sendNext(now);
            return;
        }
        assign(request, replica, now);
    }

    private void assign(int request, int replica, long now) {
        replicaOf[request] = replica;
        assigned[replica]++;
        replicas[replica].arrive(request, now);
        ends[replica] = replicas[replica].end();
    }

    private int replica(int request) {
        int count = deployment.workers().replicas();
        if (count == 1) {
            return 0;
        }
        return switch (deployment.router()) {
            case ROUND_ROBIN -> turns++ % count;
            case LEAST_LOADED -> leastLoaded(0, count);
            case PREFIX -> load.hasBlocks() ? bestKnown(request, count) : turns++ % count;
        };
    }

    /// Returns the replica with the longest known prefix of the prompt, if that is long enough and does not overload
    /// it.
    private int bestKnown(int request, int count) {
        int least = leastLoaded(0, count);
        int most = 0;
        int best = least;
        int bestHits = 0;
        for (int i = 0; i < count; i++) {
            most = Math.max(most, assigned[i]);
            int hits = hits(request, i);
            if (hits > bestHits) {
                best = i;
                bestHits = hits;
            }
        }
        int blocks = load.blockStart[request + 1] - load.blockStart[request];
        boolean isUneven = most - assigned[least] > UNEVEN_BY && most > UNEVEN_TIMES * assigned[least];
        return isUneven || bestHits <= WORTH_IT * blocks ? least : best;
    }

    private int decodeReplica() {
        int first = deployment.workers().replicas();
        return switch (deployment.router()) {
            case ROUND_ROBIN, PREFIX ->
                first + decodeTurns++ % deployment.decode().replicas();
            case LEAST_LOADED -> leastLoaded(first, replicas.length);
        };
    }

    private int leastLoaded(int from, int to) {
        int best = from;
        for (int i = from + 1; i < to; i++) {
            if (assigned[i] < assigned[best]) {
                best = i;
            }
        }
        return best;
    }

    /// Returns the tokens of the prompt in the replica's KV cache, which evicts nothing.
    private int cached(int request, int replica) {
        int most = table.input[request] - 1;
        if (!load.hasBlocks()) {
            return Math.min(most, (int) (deployment.prefixHit() * table.input[request]));
        }
        int hits = hits(request, replica);
        for (int i = load.blockStart[request] + hits; i < load.blockStart[request + 1]; i++) {
            known[replica].set(load.blocks[i]);
        }
        return (int) Math.min(most, (long) hits * load.blockTokens);
    }

    /// Returns the blocks at the start of the prompt that a replica has.
    private int hits(int request, int replica) {
        int from = load.blockStart[request];
        int at = from;
        while (at < load.blockStart[request + 1] && known[replica].get(load.blocks[at])) {
            at++;
        }
        return at - from;
    }

    @Override
    public void finished(int request, long now) {
        table.finished[request] = now;
        watch.finished(request, table);
        assigned[replicaOf[request]]--;
        sendNext(now);
    }

    @Override
    public void prefilled(int request, long now) {
        if (table.output[request] == 1) {
            table.first[request] = now;
            finished(request, now);
            return;
        }
        assigned[replicaOf[request]]--;
        table.isHandedOver[request] = true;
        table.cached[request] = 0;
        arriving.add(now + deployment.transfer().ticks(table.input[request]), request);
    }

    private void sendNext(long now) {
        if (load.isClosedLoop() && nextSent < load.size()) {
            send(now);
        }
    }

    private SimulatedRun result() {
        int preemptions = 0;
        long recomputed = 0;
        for (Replica replica : replicas) {
            preemptions += replica.preemptions();
            recomputed += replica.recomputed();
        }
        return new SimulatedRun(load, deployment, table, timeline, rejected, preemptions, recomputed, watch.isLost());
    }
}
