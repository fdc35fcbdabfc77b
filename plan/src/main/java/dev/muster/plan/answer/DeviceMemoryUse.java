// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.answer;

/// What a plan takes on each of its devices, in bytes.
///
/// @param weights weights with their scales
/// @param kvCache the KV cache of all sequences at their full length
/// @param workspace what the engine takes beside
/// @param capacity what programs get of the device
/// @since 0.1
public record DeviceMemoryUse(double weights, double kvCache, double workspace, double capacity) {
    /// All of it.
    public double total() {
        return weights + kvCache + workspace;
    }

    /// Whether it fits.
    public boolean fits() {
        return total() <= capacity;
    }
}
