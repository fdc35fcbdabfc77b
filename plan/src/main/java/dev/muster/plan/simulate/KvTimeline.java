// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

/// The use of KV caches and the number of running sequences over time: sums over buckets that get wider as time goes
/// on. Confined to one thread.
final class KvTimeline {
    static final int BUCKETS = 64;
    private static final long FIRST_WIDTH = 1L << 30;

    private final double[] held = new double[BUCKETS];
    private final double[] running = new double[BUCKETS];
    private long width = FIRST_WIDTH;
    private double mostUse;
    private int mostRunning;

    /// Adds some steps of one replica.
    ///
    /// @param used units held at their start
    /// @param grown additional units at their end
    /// @param sequences number of running sequences
    /// @param room units that the KV cache of the replica holds
    void add(long start, long end, long used, long grown, int sequences, long room) {
        double slope = grown / (double) (end - start);
        mostUse = Math.max(mostUse, (used + grown) / (double) room);
        mostRunning = Math.max(mostRunning, sequences);
        while (end > BUCKETS * width) {
            widen();
        }
        int last = (int) ((end - 1) / width);
        long from = start;
        for (int bucket = (int) (start / width); bucket <= last; bucket++) {
            long to = Math.min(end, (bucket + 1) * width);
            double part = (double) (to - from);
            held[bucket] += (used + slope * (from - start + part / 2)) * part;
            running[bucket] += sequences * part;
            from = to;
        }
    }

    private void widen() {
        for (int i = 0; i < BUCKETS; i++) {
            boolean isKept = i < BUCKETS / 2;
            held[i] = isKept ? held[2 * i] + held[2 * i + 1] : 0;
            running[i] = isKept ? running[2 * i] + running[2 * i + 1] : 0;
        }
        width *= 2;
    }

    /// Returns the held units, averaged over each bucket up to a time.
    double[] held(long until) {
        return means(held, until);
    }

    /// Returns the running sequences, averaged over each bucket up to a time.
    double[] running(long until) {
        return means(running, until);
    }

    /// Returns the ticks of a bucket.
    long width() {
        return width;
    }

    /// Returns the peak use of a KV cache, as a share.
    double mostUse() {
        return mostUse;
    }

    int mostRunning() {
        return mostRunning;
    }

    private double[] means(double[] sums, long until) {
        int count = (int) Math.min(BUCKETS, Math.ceilDiv(Math.max(1, until), width));
        double[] means = new double[count];
        for (int i = 0; i < count; i++) {
            long to = Math.min(until, (i + 1) * width);
            means[i] = sums[i] / Math.max(1, to - i * width);
        }
        return means;
    }
}
