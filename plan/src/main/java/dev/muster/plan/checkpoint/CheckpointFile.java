package dev.muster.plan.checkpoint;

import dev.muster.core.unit.Bytes;

/// One file of a checkpoint.
///
/// @param name its name, without its folder
/// @param size its size
/// @since 0.1
public record CheckpointFile(String name, Bytes size) {}
