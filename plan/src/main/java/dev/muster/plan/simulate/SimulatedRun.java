// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import dev.muster.plan.serving.ServingSimulation.Figures;
import dev.muster.plan.serving.Slo;
import java.util.Arrays;

/// The times of each request of a load. Rejected requests have no times.
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

    /// Returns the number of requests.
    public int size() {
        return load.size();
    }

    public boolean isAnswered(int request) {
        return table.finished[request] != RequestTable.NEVER;
    }

    /// Returns the send time of a request, in ticks.
    public long sent(int request) {
        return table.sent[request];
    }

    /// Returns the time of its first token, in ticks.
    public long first(int request) {
        return table.first[request];
    }

    /// Returns the time of its last token, in ticks.
    public long finished(int request) {
        return table.finished[request];
    }

    /// Returns the number of requests that no replica can hold.
    public int rejected() {
        return rejected;
    }

    public int preemptions() {
        return preemptions;
    }

    /// Returns the tokens that were lost by them.
    public long recomputed() {
        return recomputed;
    }

    /// Reports whether it ended before the last answer, since an objective was missed.
    public boolean isLost() {
        return isLost;
    }

    /// Returns the figures that clients see.
    public Figures figures(Slo targets) {
        return Statistics.of(this, targets);
    }

    /// Reports whether a load that arrives by itself was steady when it began to count; true for other loads
    /// and if its latency grows beyond doubt.
    ///
    /// @param certain growth beyond doubt, in seconds for each second
    boolean isSettled(double certain) {
        return Statistics.isSettled(this, certain);
    }

    /// Returns the tokens of the longest request, prompt and answer together.
    public long longest() {
        long longest = 0;
        for (int i = 0; i < load.size(); i++) {
            longest = Math.max(longest, (long) load.input[i] + load.output[i]);
        }
        return longest;
    }

    /// Returns the time of the last token.
    long lastMoment() {
        long last = 1;
        for (int i = 0; i < load.size(); i++) {
            last = Math.max(last, table.finished[i]);
        }
        return last;
    }

    /// Returns the held share of all KV caches, over equal periods.
    public double[] kvUse() {
        double[] use = timeline.held(lastMoment());
        double room = deployment.units() * (room(deployment.workers()) + room(deployment.decode()));
        for (int i = 0; i < use.length; i++) {
            use[i] /= room;
        }
        return use;
    }

    private static double room(Deployment.Workers workers) {
        return (double) workers.room() * workers.replicas();
    }

    /// Returns the running sequences, over equal periods.
    public double[] running() {
        return timeline.running(lastMoment());
    }

    /// Returns the seconds of a period.
    public double pieceSeconds() {
        return StepTicks.seconds(timeline.width());
    }

    /// Returns the peak use of a KV cache, as a share.
    public double mostKvUse() {
        return timeline.mostUse();
    }

    /// Returns the largest number of running sequences of a replica.
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
