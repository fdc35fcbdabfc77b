// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import dev.muster.plan.serving.ServingSimulation.Figures;
import dev.muster.plan.serving.ServingSimulation.Spread;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.serving.Slo.LatencyMetric;
import java.util.stream.LongStream;

/// The statistics of benchmark clients over a run: answered requests, from the first sent to the last token;
/// quantiles interpolated between two values. A steady load lasts from the first request that counts to the first
/// behind those that count.
final class Statistics {
    /// Latency that grows by more than this share of the time that passes, from each third to the next, belongs to a
    /// queue that grows.
    private static final double GROWTH = 0.02;

    /// Requests in the system are this often followed by as many others before a load counts as steady.
    private static final int TIMES_OVER = 3;

    private Statistics() {}

    private static double most(Slo targets, LatencyMetric metric) {
        return targets.findSeconds(metric).orElse(Double.POSITIVE_INFINITY);
    }

    static Figures of(SimulatedRun run, Slo targets) {
        double mostToFirst = most(targets, LatencyMetric.TTFT);
        double mostEach = most(targets, LatencyMetric.TPOT);
        double mostToLast = most(targets, LatencyMetric.LATENCY);
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
        Workload load = run.load();
        for (int i = load.warmUp; i < load.end; i++) {
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
            if (toFirst <= mostToFirst && each <= mostEach && toLast <= mostToLast) {
                good++;
            }
        }
        boolean isStable = !isOpen(load) || !isGrowing(run);
        if (answered > 0 && load.isSteady() && isStable) {
            begin = table.sent[load.warmUp];
            last = table.sent[load.end];
        }
        double seconds = answered == 0 ? 0 : isStable ? StepTicks.seconds(last - begin) : busy(run, answered);
        return new Figures(
                answered,
                output,
                seconds,
                spread(ttft, answered),
                spread(tpot, several),
                spread(latency, answered),
                good,
                isStable);
    }

    /// Returns the seconds that busy replicas take for a number of answers: by the middle three fifths of all.
    private static double busy(SimulatedRun run, int answers) {
        long[] finished = LongStream.of(run.table().finished)
                .filter(time -> time != RequestTable.NEVER)
                .sorted()
                .toArray();
        int from = finished.length / 5;
        int to = finished.length - 1 - from;
        return StepTicks.seconds(finished[to] - finished[from]) * answers / Math.max(1, to - from);
    }

    /// Reports whether a load is steady that arrives by itself.
    private static boolean isOpen(Workload load) {
        return !load.isClosedLoop() && load.isSteady();
    }

    /// Reports whether enough requests came before those that count, and behind them, for a load to be steady; or
    /// whether its queue certainly grows.
    static boolean isSettled(SimulatedRun run, double certain) {
        Workload load = run.load();
        RequestTable table = run.table();
        if (!isOpen(load)) {
            return true;
        }
        double latency = 0;
        for (int i = load.warmUp; i < load.end; i++) {
            latency += Math.max(0, StepTicks.seconds(table.finished[i] - table.sent[i]));
        }
        double inSystem = latency / StepTicks.seconds(Math.max(1, table.sent[load.end] - table.sent[load.warmUp]));
        return (inSystem * TIMES_OVER <= load.warmUp && inSystem <= load.size() - load.end)
                || Trend.of(run).slope > certain;
    }

    private static boolean isGrowing(SimulatedRun run) {
        Trend trend = Trend.of(run);
        return trend.isRising && trend.slope > GROWTH;
    }

    /// The trend of the latency of a request with an average answer over the time at which it is sent.
    ///
    /// @param slope seconds more for each second
    /// @param isRising true if each third is above the one before
    private record Trend(double slope, boolean isRising) {
        private static final Trend NONE = new Trend(0, false);

        static Trend of(SimulatedRun run) {
            Workload load = run.load();
            RequestTable table = run.table();
            long tokens = 0;
            for (int i = load.warmUp; i < load.end; i++) {
                tokens += table.output[i];
            }
            double further = (double) tokens / load.counted() - 1;
            double[] at = new double[load.counted()];
            double[] latency = new double[load.counted()];
            int count = 0;
            for (int i = load.warmUp; i < load.end; i++) {
                boolean counts = table.finished[i] != RequestTable.NEVER && (further == 0 || table.output[i] > 1);
                if (counts) {
                    double each =
                            StepTicks.seconds(table.finished[i] - table.first[i]) / Math.max(1, table.output[i] - 1);
                    at[count] = StepTicks.seconds(table.sent[i] - table.sent[load.warmUp]);
                    latency[count] = StepTicks.seconds(table.first[i] - table.sent[i]) + further * each;
                    count++;
                }
            }
            return count < TIMES_OVER ? NONE : of(at, latency, count);
        }

        private static Trend of(double[] at, double[] latency, int count) {
            double meanAt = mean(at, 0, count);
            double mean = mean(latency, 0, count);
            double both = 0;
            double squares = 0;
            for (int i = 0; i < count; i++) {
                both += (at[i] - meanAt) * (latency[i] - mean);
                squares += (at[i] - meanAt) * (at[i] - meanAt);
            }
            int third = count / 3;
            double middle = mean(latency, third, count - third);
            boolean isRising = mean(latency, 0, third) < middle && middle < mean(latency, count - third, count);
            return squares == 0 ? NONE : new Trend(both / squares, isRising);
        }

        private static double mean(double[] values, int from, int to) {
            double sum = 0;
            for (int i = from; i < to; i++) {
                sum += values[i];
            }
            return sum / (to - from);
        }
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
