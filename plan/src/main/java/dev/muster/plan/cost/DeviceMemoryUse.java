// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

/// The memory of a plan on each of its devices, in bytes.
///
/// @param weights weights with their scales
/// @param kvCache the KV cache of all sequences at their full length
/// @param workspace memory of the engine beside
/// @param capacity memory for programs on the device
/// @since 0.1
public record DeviceMemoryUse(double weights, double kvCache, double workspace, double capacity) {
    /// Returns the total.
    public double total() {
        return weights + kvCache + workspace;
    }

    /// Reports whether it fits.
    public boolean fits() {
        return total() <= capacity;
    }
}
