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

    /// Reports whether this rank sends it.
    public boolean sends() {
        return sends;
    }

    /// The rank within the group at the other end.
    public int peer() {
        return peer;
    }

    /// Returns the segment that holds the bytes.
    public MemorySegment segment() {
        return segment;
    }

    /// Returns the position of the next byte to move within the segment.
    public long position() {
        return offset + done;
    }

    /// Returns the length of the message.
    public long bytes() {
        return bytes;
    }

    /// Returns the number of bytes that have still to move.
    public long left() {
        return bytes - done;
    }

    /// Reports whether the head of the message has moved.
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

    /// Reports whether all of it has moved.
    public boolean isDone() {
        return begun && done == bytes;
    }
}
