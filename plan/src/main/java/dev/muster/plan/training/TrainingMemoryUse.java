// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

/// The peak memory of training on the fullest device, in bytes.
///
/// @param weights weights, frozen ones included
/// @param gradients gradients
/// @param optimizer states of the optimizer
/// @param activations activations for the backward pass
/// @param workspace libraries, communicators, and the allocator's loss
/// @param capacity memory for programs on the device
/// @param hosted bytes on the host or its drives instead, for each device
/// @param hostCapacity host bytes for each device; infinite if unknown
/// @since 0.1
public record TrainingMemoryUse(
        double weights,
        double gradients,
        double optimizer,
        double activations,
        double workspace,
        double capacity,
        double hosted,
        double hostCapacity) {
    /// Creates a use of device memory alone.
    public TrainingMemoryUse(
            double weights, double gradients, double optimizer, double activations, double workspace, double capacity) {
        this(weights, gradients, optimizer, activations, workspace, capacity, 0, Double.POSITIVE_INFINITY);
    }

    /// Returns a copy with states on the host.
    public TrainingMemoryUse withHosted(double bytes, double room) {
        return new TrainingMemoryUse(weights, gradients, optimizer, activations, workspace, capacity, bytes, room);
    }

    /// Returns the total on the device.
    public double total() {
        return weights + gradients + optimizer + activations + workspace;
    }

    /// Returns the use of the fuller of both, device or host; more than 1 does not fit.
    public double fullness() {
        return Math.max(total() / capacity, hosted / hostCapacity);
    }

    /// Reports whether it fits.
    public boolean fits() {
        return fullness() <= 1;
    }
}
