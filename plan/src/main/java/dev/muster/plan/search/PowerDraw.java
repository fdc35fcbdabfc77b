// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

/// The power of a working device: a tenth of its limit when idle, all of it when its units are busy, and seven tenths
/// of the way between when its memory is.
///
/// @param idle watts when idle
/// @param limit largest power in watts
public record PowerDraw(double idle, double limit) {
    /// Data sheets do not say what an idle device draws. Tools show 8 to 15 % of the limit on cards that
    /// hold a model.
    private static final double IDLE_SHARE = 0.1;
    /// A decode step that waits for memory draws 50 to 70 % of the limit.
    public static final double MEMORY_WEIGHT = 0.7;

    /// Returns the draw of a device with a limit of so many watts.
    public static PowerDraw ofLimit(double watts) {
        return new PowerDraw(IDLE_SHARE * watts, watts);
    }

    /// Returns the joules of some time.
    ///
    /// @param seconds duration
    /// @param active part of it that counts as busy
    public double joules(double seconds, double active) {
        return idle * seconds + (limit - idle) * Math.min(active, seconds);
    }
}
