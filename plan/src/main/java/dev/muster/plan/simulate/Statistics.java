// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import dev.muster.plan.serving.LatencyTargets;
import dev.muster.plan.serving.ServingSimulation.Figures;
import dev.muster.plan.serving.ServingSimulation.Spread;

/// The statistics of benchmark clients over a run: answered requests, from the first sent to the last token;
/// quantiles interpolated between two values.
final class Statistics {
    private Statistics() {}

    static Figures of(SimulatedRun run, LatencyTargets targets) {
        RequestTable table = run.table();
        int size = run.size();
        double[] ttft = new double[size];
        double[] tpot = new double[size];
        double[] latency = new double[size];
        int answered = 0;
        int several = 0;
        int good = 0;
        long output = 0;
        long begin = Long.MAX_VALUE;
        long last = 0;
        for (int i = run.load().warmUp; i < size; i++) {
            if (table.finished[i] == RequestTable.NEVER) {
                continue;
            }
            begin = Math.min(begin, table.sent[i]);
            last = Math.max(last, table.finished[i]);
            double toFirst = StepTicks.seconds(table.first[i] - table.sent[i]);
            double toLast = StepTicks.seconds(table.finished[i] - table.sent[i]);
            int tokens = table.output[i];
            double each = tokens > 1 ? (toLast - toFirst) / (tokens - 1) : 0;
            ttft[answered] = toFirst;
            latency[answered] = toLast;
            answered++;
            if (tokens > 1) {
                tpot[several++] = each;
            }
            output += tokens;
            if (toFirst <= targets.timeToFirstToken()
                    && each <= targets.timePerOutputToken()
                    && toLast <= targets.latency()) {
                good++;
            }
        }
        double seconds = answered == 0 ? 0 : StepTicks.seconds(last - begin);
        return new Figures(
                answered,
                output,
                seconds,
                spread(ttft, answered),
                spread(tpot, several),
                spread(latency, answered),
                good);
    }

    /// Reorders the values.
    static Spread spread(double[] values, int count) {
        if (count == 0) {
            return new Spread(0, 0, 0, 0);
        }
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += values[i];
        }
        double p50 = quantile(values, 0, count, 0.5);
        double p90 = quantile(values, (int) (0.5 * (count - 1)), count, 0.9);
        double p99 = quantile(values, (int) (0.9 * (count - 1)), count, 0.99);
        return new Spread(sum / count, p50, p90, p99);
    }

    /// @param from values before this index are at most those behind
    private static double quantile(double[] values, int from, int count, double share) {
        double rank = share * (count - 1);
        int below = (int) rank;
        select(values, from, count - 1, below);
        double low = values[below];
        if (below + 1 >= count || rank == below) {
            return low;
        }
        double high = Double.POSITIVE_INFINITY;
        for (int i = below + 1; i < count; i++) {
            high = Math.min(high, values[i]);
        }
        return low + (rank - below) * (high - low);
    }

    /// Moves the value of a rank to its place: none before it is greater, none behind it smaller.
    private static void select(double[] values, int first, int last, int rank) {
        int low = first;
        int high = last;
        while (low < high) {
            double pivot = values[(low + high) >>> 1];
            int i = low;
            int j = high;
            while (i <= j) {
                while (values[i] < pivot) {
                    i++;
                }
                while (values[j] > pivot) {
                    j--;
                }
                if (i <= j) {
                    double swap = values[i];
                    values[i++] = values[j];
                    values[j--] = swap;
                }
            }
            if (rank <= j) {
                high = j;
            } else if (rank >= i) {
                low = i;
            } else {
                return;
            }
        }
    }
}
