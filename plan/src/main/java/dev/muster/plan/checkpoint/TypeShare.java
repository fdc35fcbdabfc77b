package dev.muster.plan.checkpoint;

import dev.muster.core.unit.Bytes;

/// What a checkpoint holds in one type of numbers.
///
/// @param type the type
/// @param tensors how many tensors
/// @param elements how many numbers they have
/// @param bytes how many bytes they take
/// @since 0.1
public record TypeShare(TensorType type, long tensors, long elements, Bytes bytes) {}
