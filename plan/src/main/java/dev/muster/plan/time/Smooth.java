// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

/// Maxima and minima without a corner: where two limits are close, both cost.
final class Smooth {
    private Smooth() {}

    /// Returns `(x^4 + y^4)^(1/4)`.
    static double max(double x, double y) {
        double xx = x * x;
        double yy = y * y;
        return Math.sqrt(Math.sqrt(xx * xx + yy * yy));
    }

    /// Returns the smooth minimum, for rates.
    static double min(double x, double y) {
        return 1 / max(1 / x, 1 / y);
    }
}
