// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.rehearse;

import java.util.Arrays;

/// The times of the calls of one rank, and of its waits for others before them. Safe to be filled by
/// one thread and read by another after that has ended its work.
final class CallTimes {
    private static final int FIRST = 256;
    private static final double NANO = 1e-9;
    private static final double P99 = 0.99;

    private long[] taken = new long[FIRST];
    private long[] waited = new long[FIRST];
    private int count;

    void add(long takenNanos, long waitedNanos) {
        if (count == taken.length) {
            taken = Arrays.copyOf(taken, 2 * count);
            waited = Arrays.copyOf(waited, 2 * count);
        }
        taken[count] = takenNanos;
        waited[count] = waitedNanos;
        count++;
    }

    int count() {
        return count;
    }

    void clear() {
        count = 0;
    }

    double medianSeconds() {
        return quantile(taken, 0.5);
    }

    double p99Seconds() {
        return quantile(taken, P99);
    }

    double medianWaitSeconds() {
        return quantile(waited, 0.5);
    }

    private double quantile(long[] values, double share) {
        if (count == 0) {
            return 0;
        }
        long[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        return NANO * sorted[(int) ((count - 1) * share)];
    }
}
