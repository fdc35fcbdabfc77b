package dev.muster.plan.training;

/// What training takes on the fullest device at its peak, in bytes.
///
/// @param weights weights, frozen ones included
/// @param gradients gradients
/// @param optimizer states of the optimizer
/// @param activations what the backward pass needs of the forward one
/// @param workspace libraries, communicators, and what the allocator loses
/// @param capacity what programs get of the device
/// @since 0.1
public record TrainingMemoryUse(
        double weights, double gradients, double optimizer, double activations, double workspace, double capacity) {
    /// All of it.
    public double total() {
        return weights + gradients + optimizer + activations + workspace;
    }

    /// Whether it fits.
    public boolean fits() {
        return total() <= capacity;
    }
}
