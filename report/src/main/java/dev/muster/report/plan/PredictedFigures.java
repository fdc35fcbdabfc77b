// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.text.FixedText;
import dev.muster.plan.cost.Estimate;
import dev.muster.report.text.Quantity;

/// Predicted figures: with few digits in text, and bounds behind the middle.
final class PredictedFigures {
    private static final double MILLI = 1e3;
    private static final double LARGE = 100;
    private static final double SMALL = 0.01;
    private static final double LONG_SECONDS = 10;

    private PredictedFigures() {}

    static String figure(Estimate estimate) {
        return figure(estimate.p50()) + " (" + figure(estimate.p10()) + " to " + figure(estimate.p90()) + ")";
    }

    static String figure(double value) {
        return FixedText.of(value, value >= LARGE ? 0 : value >= 1 ? 1 : value >= SMALL || value == 0 ? 2 : 4);
    }

    /// Returns a time in milliseconds, from ten seconds on in seconds.
    static String time(Estimate estimate) {
        boolean isLong = estimate.p50() >= LONG_SECONDS;
        double scale = isLong ? 1 : MILLI;
        return FixedText.of(scale * estimate.p50(), 1) + (isLong ? " s (" : " ms (")
                + FixedText.of(scale * estimate.p10(), 1) + " to " + FixedText.of(scale * estimate.p90(), 1) + ")";
    }

    static String time(double seconds) {
        return seconds >= LONG_SECONDS ? FixedText.of(seconds, 1) + " s" : FixedText.of(MILLI * seconds, 1) + " ms";
    }

    static String dollars(double amount) {
        return FixedText.of(amount, 2);
    }

    static String percent(double share) {
        return Quantity.percent(share, 0);
    }
}
