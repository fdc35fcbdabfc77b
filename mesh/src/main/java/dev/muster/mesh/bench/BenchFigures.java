// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.bench;

import dev.muster.mesh.collective.Operation;

/// The results for an operation and a size. Times are in microseconds. Immutable.
///
/// @param operation the operation
/// @param bytes of the whole buffer: what a rank reduces or broadcasts, what all ranks gather or scatter together
/// @param calls number of timed calls
/// @param min the mean time of the fastest rank
/// @param mean over the mean times of all ranks
/// @param max the mean time of the slowest rank
/// @param p50 the median of the calls of a rank, as mean over all ranks
/// @param p99 below which 99 % of the calls of each rank stay: that of the slowest rank
/// @param wrong number of wrong elements in the last result of all ranks
/// @param allocated bytes of Java objects for each call and its barrier on the calling thread, of the rank with most
public record BenchFigures(
        Operation operation,
        long bytes,
        int calls,
        double min,
        double mean,
        double max,
        double p50,
        double p99,
        long wrong,
        double allocated) {
    private static final double MICROS = 1e6;

    /// Bytes of the buffer for each second of the median call.
    public double algorithmBandwidth() {
        return p50 <= 0 ? 0 : bytes * MICROS / p50;
    }

    /// Returns the bandwidth that a link of each rank carries at least: comparable over operations and numbers of
    /// ranks.
    public double busBandwidth(int ranks) {
        return algorithmBandwidth() * busFactor(operation, ranks);
    }

    /// By how much the bytes over a link differ from those of the buffer, as NVIDIA's nccl-tests count them.
    static double busFactor(Operation operation, int ranks) {
        double others = (ranks - 1.0) / ranks;
        return switch (operation) {
            case ALL_REDUCE -> 2 * others;
            case ALL_GATHER, REDUCE_SCATTER, GATHER, SCATTER, ALL_TO_ALL -> others;
            case REDUCE, BROADCAST, EXCHANGE -> 1;
            case BARRIER -> 0;
        };
    }
}
