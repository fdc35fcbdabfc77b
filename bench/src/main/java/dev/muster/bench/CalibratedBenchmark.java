// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// A benchmark of short calls, beside which stands how fast this machine is now.
@State(Scope.Benchmark)
public abstract class CalibratedBenchmark {
    private final int steps;
    private long value = 42;

    /// @param steps the number of calibration steps, so that it lasts about as long as the calls
    CalibratedBenchmark(int steps) {
        this.steps = steps;
    }

    /// Steps of a random generator, each waiting for the last.
    @Benchmark
    public long calibration() {
        for (int i = 0; i < steps; i++) {
            value ^= value << 13;
            value ^= value >>> 7;
            value ^= value << 17;
        }
        return value;
    }
}
