// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

/// A number of the cost model that is fitted to measurements. All are positive, and their spread is one of
/// logarithms.
///
/// @param name name, such as `llama.cpp/memory-share/nvidia-gddr/4-bit`; shares are of a data sheet's peak, times in
/// seconds
/// @param value fitted value
/// @param prior value before any measurement
/// @param spread standard deviation of the prior; 0 if it is not fitted
public record Coefficient(String name, double value, double prior, double spread) {
    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException unless all are finite and positive
    public Coefficient {
        if (!(value > 0 && prior > 0 && spread >= 0 && value < 1e30 && prior < 1e30 && spread < 1e3)) {
            throw new IllegalArgumentException("a coefficient is positive: " + name);
        }
    }
}
