package dev.muster.plan.checkpoint;

/// Takes the tensors of a checkpoint one after another, in the order of the files.
///
/// @since 0.1
@FunctionalInterface
public interface TensorSink {
    /// Takes one tensor.
    void accept(Tensor tensor);
}
