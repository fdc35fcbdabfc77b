// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

/// The spread of prompts and answers of real traffic: a Weibull distribution of shape 1.2 without its longest
/// hundredth and a half, scaled to the nominal length as its mean.
///
/// Of Azure's published conversations of November 2023 (19,366 requests), shares of the mean at p10, p50, p90 and p99
/// are 0.18, 0.88, 2.4 and 3.6 for prompts, and 0.26, 0.61, 2.0 and 2.9 for answers; here 0.17, 0.81, 2.2 and 3.3.
final class LengthSpread {
    private static final double SHAPE = 1.2;
    private static final double KEPT = 0.985;
    private static final int LEVELS = 2048;
    /// Shares are rounded, so that machines whose logarithms differ in the last digit draw the same lengths.
    private static final double STEPS = 1L << 36;

    private static final double[] SHARES = shares();

    private LengthSpread() {}

    private static double[] shares() {
        double[] shares = new double[LEVELS];
        double sum = 0;
        for (int i = 0; i < LEVELS; i++) {
            shares[i] = Math.pow(-Math.log(1 - KEPT * (i + 0.5) / LEVELS), 1 / SHAPE);
            sum += shares[i];
        }
        for (int i = 0; i < LEVELS; i++) {
            shares[i] = Math.rint(shares[i] * LEVELS / sum * STEPS) / STEPS;
        }
        return shares;
    }

    /// Returns a length.
    ///
    /// @param nominal mean
    /// @param drawn random number from 0 to less than 1
    static int length(int nominal, double drawn) {
        return (int) Math.max(1, Math.rint(nominal * SHARES[(int) (drawn * LEVELS)]));
    }
}
