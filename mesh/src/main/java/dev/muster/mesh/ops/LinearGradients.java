package dev.muster.mesh.ops;

/// How the loss changes with what a linear layer was given and has, as far as a rank has it.
///
/// @param input with the input, in its shape
/// @param weight with the weight, in its shape
/// @param bias with the bias, in its shape
/// @since 0.1
public record LinearGradients(Matrix input, Matrix weight, Matrix bias) {}
