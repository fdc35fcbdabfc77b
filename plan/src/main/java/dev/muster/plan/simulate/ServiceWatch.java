// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import dev.muster.plan.serving.Slo;
import dev.muster.plan.serving.Slo.LatencyMetric;
import dev.muster.plan.serving.Slo.Objective;
import java.util.List;
import java.util.Optional;

/// Detects when a run cannot keep its objectives any more: more requests took too long than a quantile allows, or all
/// together took longer than the mean allows. Confined to one thread.
final class ServiceWatch {
    private final List<Objective> objectives;
    private final int warmUp;
    private final int end;
    /// The number of requests beyond each objective that violates it; for a mean, [Integer#MAX_VALUE].
    private final int[] tooMany;
    private final int[] beyond;
    private final double[] allowed;
    private final double[] sum;
    private boolean isLost;

    ServiceWatch(Slo slo, Workload load) {
        this.objectives = slo.objectives();
        this.warmUp = load.warmUp;
        this.end = load.end;
        int count = objectives.size();
        this.tooMany = new int[count];
        this.beyond = new int[count];
        this.allowed = new double[count];
        this.sum = new double[count];
        for (int i = 0; i < count; i++) {
            Objective one = objectives.get(i);
            int counted = counted(one.metric(), load);
            Optional<Double> share = one.statistic().findShare();
            tooMany[i] = share.map(part -> tooMany(part, counted)).orElse(Integer.MAX_VALUE);
            allowed[i] = share.isEmpty() ? one.seconds() * counted : Double.POSITIVE_INFINITY;
        }
    }

    /// Returns the number of values beyond a time at which the quantile of all is beyond it: [Statistics] takes the
    /// value of this rank, or one between it and the next.
    static int tooMany(double share, int counted) {
        return Math.max(1, counted - (int) (share * (counted - 1)));
    }

    static int counted(LatencyMetric metric, Workload load) {
        if (metric != LatencyMetric.TPOT) {
            return load.counted();
        }
        int counted = 0;
        for (int i = load.warmUp; i < load.end; i++) {
            counted += load.output[i] > 1 ? 1 : 0;
        }
        return counted;
    }

    boolean isLost() {
        return isLost;
    }

    void rejected() {
        isLost |= !objectives.isEmpty();
    }

    void finished(int request, RequestTable table) {
        if (request < warmUp || request >= end) {
            return;
        }
        for (int i = 0; i < beyond.length; i++) {
            Objective one = objectives.get(i);
            double seconds = seconds(one.metric(), request, table);
            beyond[i] += seconds > one.seconds() ? 1 : 0;
            sum[i] += seconds;
            isLost |= beyond[i] >= tooMany[i] || sum[i] > allowed[i];
        }
    }

    private static double seconds(LatencyMetric metric, int request, RequestTable table) {
        long sent = table.sent[request];
        double toFirst = StepTicks.seconds(table.first[request] - sent);
        double toLast = StepTicks.seconds(table.finished[request] - sent);
        int tokens = table.output[request];
        return switch (metric) {
            case TTFT -> toFirst;
            case LATENCY -> toLast;
            case TPOT -> tokens > 1 ? (toLast - toFirst) / (tokens - 1) : 0;
        };
    }
}
