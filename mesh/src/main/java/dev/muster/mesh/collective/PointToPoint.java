package dev.muster.mesh.collective;

import java.lang.foreign.MemorySegment;

/// A message of a batch. Messages between the same two ranks arrive in the order in which they were sent.
///
/// @param sends whether this rank sends it
/// @param peer the rank within the group at the other end
/// @param buffer what is sent, or where it goes; both ends have the same size
/// @since 0.1
public record PointToPoint(boolean sends, int peer, MemorySegment buffer) {
    /// A message to a rank.
    public static PointToPoint send(MemorySegment buffer, int to) {
        return new PointToPoint(true, to, buffer);
    }

    /// A message from a rank.
    public static PointToPoint receive(MemorySegment buffer, int from) {
        return new PointToPoint(false, from, buffer);
    }
}
