// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

/// The useful share of the time of a training with checkpoints and failures (Daly 2006,
/// doi:10.1016/j.future.2004.11.016, equation 13, without its approximations).
///
/// Failures are a Poisson process that goes on during checkpoints and restarts. A failure loses the work since the last
/// checkpoint; after it, the restart has to succeed.
///
/// @param failureSeconds mean time between failures of the whole run
/// @param checkpointSeconds pause for a checkpoint
/// @param restartSeconds time from a failure to the first step after it
record Goodput(double failureSeconds, double checkpointSeconds, double restartSeconds) {
    private static final int STEPS = 200;
    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

    /// Returns the useful share with a checkpoint after so many seconds of work.
    double at(double interval) {
        double rate = 1 / failureSeconds;
        double expected =
                Math.exp(rate * restartSeconds) * Math.expm1(rate * (interval + checkpointSeconds)) * failureSeconds;
        return interval / expected;
    }

    /// Returns the seconds of work between two checkpoints with the largest useful share, which has one maximum.
    double bestInterval() {
        if (checkpointSeconds == 0) {
            return 0;
        }
        double low = Math.log(Math.min(failureSeconds, checkpointSeconds) * 1e-3);
        double high = Math.log(failureSeconds * 10);
        for (int i = 0; i < STEPS; i++) {
            double left = high - GOLDEN * (high - low);
            double right = low + GOLDEN * (high - low);
            if (at(Math.exp(left)) < at(Math.exp(right))) {
                low = left;
            } else {
                high = right;
            }
        }
        return Math.exp(low);
    }

    /// Returns the largest useful share.
    double best() {
        return checkpointSeconds == 0 ? Math.exp(-restartSeconds / failureSeconds) : at(bestInterval());
    }
}
