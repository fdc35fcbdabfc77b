// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.util.Random;
import java.util.function.Consumer;

/// Runs a test many times with random numbers. A failure names the seed of its trial, and `-Dmuster.seed=<seed>`
/// repeats that trial alone.
public final class Trials {
    private static final String SEED = "muster.seed";

    private Trials() {}

    /// Runs the trial with so many seeds, never seen before.
    public static void run(int count, Consumer<Random> trial) {
        Long repeated = Long.getLong(SEED);
        if (repeated != null) {
            runOne(repeated, trial);
            return;
        }
        Random seeds = new Random();
        for (int i = 0; i < count; i++) {
            runOne(seeds.nextLong(), trial);
        }
    }

    private static void runOne(long seed, Consumer<Random> trial) {
        try {
            trial.accept(new Random(seed));
        } catch (RuntimeException | AssertionError | StackOverflowError e) {
            throw new AssertionError("repeat with -D" + SEED + "=" + seed + ": " + e.getMessage(), e);
        }
    }
}
