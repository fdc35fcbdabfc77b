// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

/// How far runs of a deployment are trusted to say how predictions of its other runs are off.
public final class RunTrust {
    /// What the prediction counts against one run: a run alone corrects three quarters of its error. To trust runs
    /// less that are further off in users or lengths was tried on rows that no fit saw: TPOT gains a tenth of a
    /// point by it.
    private static final double PRIOR = 0.3;

    private RunTrust() {}

    /// The share of their mean error, in logarithms, that so many runs correct.
    public static double share(int runs) {
        return runs / (runs + PRIOR);
    }
}
