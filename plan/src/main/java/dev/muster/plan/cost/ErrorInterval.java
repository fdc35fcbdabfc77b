// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

/// The interval of measured values around predictions of a class: eight of ten lie between a low and a high multiple.
///
/// @param low the multiple that one of ten measured values stays below
/// @param high the multiple that one of ten measured values goes beyond
/// @since 0.1
public record ErrorInterval(double low, double high) {
    /// Returns the interval of times if this is that of rates, and the other way round.
    public ErrorInterval inverse() {
        return new ErrorInterval(1 / high, 1 / low);
    }

    /// Returns an interval twice as wide on both sides, in logarithms.
    public ErrorInterval doubled() {
        return new ErrorInterval(low * low, high * high);
    }
}
