// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

/// What training takes on the fullest device at its peak, in bytes.
///
/// @param weights weights, frozen ones included
/// @param gradients gradients
/// @param optimizer states of the optimizer
/// @param activations what the backward pass needs of the forward one
/// @param workspace libraries, communicators, and what the allocator loses
/// @param capacity what programs get of the device
/// @param hosted what lies on the host or its drives instead, for each device
/// @param hostCapacity what there is of those for each device; infinite where unknown
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
    /// What lies on devices alone.
    public TrainingMemoryUse(
            double weights, double gradients, double optimizer, double activations, double workspace, double capacity) {
        this(weights, gradients, optimizer, activations, workspace, capacity, 0, Double.POSITIVE_INFINITY);
    }

    /// The same with something on the host.
    public TrainingMemoryUse withHosted(double bytes, double room) {
        return new TrainingMemoryUse(weights, gradients, optimizer, activations, workspace, capacity, bytes, room);
    }

    /// All of it on the device.
    public double total() {
        return weights + gradients + optimizer + activations + workspace;
    }

    /// How full the fuller of both is, device or host; more than 1 does not fit.
    public double fullness() {
        return Math.max(total() / capacity, hosted / hostCapacity);
    }

    /// Whether it fits.
    public boolean fits() {
        return fullness() <= 1;
    }
}
