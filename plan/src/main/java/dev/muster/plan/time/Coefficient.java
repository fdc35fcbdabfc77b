// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

/// A number of the cost model that measurements decide. All are positive, and their spread is one of logarithms.
///
/// @param name what it is, such as `llama.cpp/memory-share/nvidia-gddr/4-bit`; shares are of a data sheet's peak, times
///     in seconds
/// @param value what the measurements say
/// @param prior what is believed before any measurement
/// @param spread how far measurements may take it from there; 0 where it is not fitted
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
