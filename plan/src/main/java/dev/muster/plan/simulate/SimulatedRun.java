// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import dev.muster.plan.serving.LatencyTargets;
import dev.muster.plan.serving.ServingSimulation.Figures;
import java.util.Arrays;

/// What became of each request of a load. Requests that were refused have no times.
public final class SimulatedRun {
    private final Workload load;
    private final Deployment deployment;
    private final RequestTable table;
    private final KvTimeline timeline;
    private final int rejected;
    private final int preemptions;
    private final long recomputed;
    private final boolean isLost;

    SimulatedRun(
            Workload load,
            Deployment deployment,
            RequestTable table,
            KvTimeline timeline,
            int rejected,
            int preemptions,
            long recomputed,
            boolean isLost) {
        this.load = load;
        this.deployment = deployment;
        this.table = table;
        this.timeline = timeline;
        this.rejected = rejected;
        this.preemptions = preemptions;
        this.recomputed = recomputed;
        this.isLost = isLost;
    }

    /// How many requests there were.
    public int size() {
        return load.size();
    }

    /// Whether a request was answered.
    public boolean isAnswered(int request) {
        return table.finished[request] != RequestTable.NEVER;
    }

    /// Ticks at which a request was sent.
    public long sent(int request) {
        return table.sent[request];
    }

    /// Ticks at which its first token was there.
    public long first(int request) {
        return table.first[request];
    }

    /// Ticks at which its last token was there.
    public long finished(int request) {
        return table.finished[request];
    }

    /// Requests that no replica can hold.
    public int rejected() {
        return rejected;
    }

    /// How often a sequence had to give way.
    public int preemptions() {
        return preemptions;
    }

    /// Tokens that were computed and lost by it.
    public long recomputed() {
        return recomputed;
    }

    /// Whether it ended before the last answer, since an objective could not be kept any more.
    public boolean isLost() {
        return isLost;
    }

    /// What clients see.
    public Figures figures(LatencyTargets targets) {
        return Statistics.of(this, targets);
    }

    /// The last moment at which a token was made.
    long lastMoment() {
        long last = 1;
        for (int i = 0; i < load.size(); i++) {
            last = Math.max(last, table.finished[i]);
        }
        return last;
    }

    /// Share of all KV caches that is held, over equal pieces of time.
    public double[] kvUse() {
        double[] use = timeline.held(lastMoment());
        double room = deployment.speculation().units() * (room(deployment.workers()) + room(deployment.decode()));
        for (int i = 0; i < use.length; i++) {
            use[i] /= room;
        }
        return use;
    }

    private static double room(Deployment.Workers workers) {
        return (double) workers.room() * workers.replicas();
    }

    /// Sequences that run, over equal pieces of time.
    public double[] running() {
        return timeline.running(lastMoment());
    }

    /// Seconds of a piece of time.
    public double pieceSeconds() {
        return StepTicks.seconds(timeline.width());
    }

    /// The most of a KV cache that was held, as a share.
    public double mostKvUse() {
        return timeline.mostUse();
    }

    /// The most sequences that ran on a replica.
    public int mostRunning() {
        return timeline.mostRunning();
    }

    Workload load() {
        return load;
    }

    RequestTable table() {
        return table;
    }

    @Override
    public String toString() {
        return "SimulatedRun[" + load.size() + " requests, finished " + Arrays.hashCode(table.finished) + "]";
    }
}
