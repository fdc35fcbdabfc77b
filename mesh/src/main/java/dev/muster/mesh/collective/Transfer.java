// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import java.lang.foreign.MemorySegment;

/// One message between this rank and another, and how much of it has moved. Engines move several at once; they are made
/// once and used again. Confined to the call that it belongs to.
///
/// @since 0.1
public final class Transfer {
    private boolean sends;
    private int peer;
    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private long bytes;
    private long done;
    private boolean begun;

    /// A message that is yet to be set.
    public Transfer() {}

    /// Makes it a message to a member of the group.
    public Transfer toSend(int peer, MemorySegment segment, long offset, long bytes) {
        return set(true, peer, segment, offset, bytes);
    }

    /// Makes it a message from a member of the group.
    public Transfer toReceive(int peer, MemorySegment segment, long offset, long bytes) {
        return set(false, peer, segment, offset, bytes);
    }

    private Transfer set(boolean sends, int peer, MemorySegment segment, long offset, long bytes) {
        this.sends = sends;
        this.peer = peer;
        this.segment = segment;
        this.offset = offset;
        this.bytes = bytes;
        this.done = 0;
        this.begun = false;
        return this;
    }

    /// Whether this rank sends it.
    public boolean sends() {
        return sends;
    }

    /// The rank within the group at the other end.
    public int peer() {
        return peer;
    }

    /// Where the bytes lie.
    public MemorySegment segment() {
        return segment;
    }

    /// Where the next byte to move lies within the segment.
    public long position() {
        return offset + done;
    }

    /// How long the message is.
    public long bytes() {
        return bytes;
    }

    /// How many bytes have still to move.
    public long left() {
        return bytes - done;
    }

    /// Whether the head of the message has moved.
    public boolean hasBegun() {
        return begun;
    }

    /// Notes that the head of the message has moved.
    public void begin() {
        begun = true;
    }

    /// Notes that so many bytes have moved.
    public void advance(long moved) {
        done += moved;
    }

    /// Whether all of it has moved.
    public boolean isDone() {
        return begun && done == bytes;
    }
}
