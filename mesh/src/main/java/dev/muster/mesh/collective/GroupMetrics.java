package dev.muster.mesh.collective;

/// What a group has done so far.
///
/// @param calls how many operations ended, well or not
/// @param failures how many of them failed
/// @param bytes how many bytes this rank gave to them
/// @param nanos how long they took together, waiting included
/// @since 0.1
public record GroupMetrics(long calls, long failures, long bytes, long nanos) {}
