// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.shm;

import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.Transfer;
import java.lang.foreign.MemorySegment;

/// Messages between two members: a ring of bytes for each direction, one writer and one reader. Messages longer
/// than the ring pass through it in parts. Before each message stands its length; messages begin at multiples
/// of 16 bytes, so that a length is never torn by the end of the ring.
final class MessageRings {
    private static final int NONE = -1;

    private final GroupIdentity group;
    private final SharedRegion region;
    private final RoundWait wait;
    private final Rounds rounds;
    private final int own;
    private final int capacity;

    MessageRings(GroupIdentity group, SharedRegion region, RoundWait wait, Rounds rounds) {
        this.group = group;
        this.region = region;
        this.wait = wait;
        this.rounds = rounds;
        this.own = group.rank();
        this.capacity = region.layout().ringBytes();
    }

    /// Moves all messages of a call. Those between the same two members keep their order; no other waits.
    void exchange(GroupCall call) {
        wait.begin();
        int seenAhead = NONE;
        while (true) {
            boolean moved = false;
            int pending = NONE;
            int ahead = seenAhead;
            for (int index = 0; index < call.transferCount(); index++) {
                Transfer transfer = call.transfer(index);
                if (!transfer.isDone() && !isBehindAnother(call, index)) {
                    moved |= advance(call, transfer);
                    if (!transfer.isDone()) {
                        pending = transfer.peer();
                        seenAhead = rounds.isAhead(pending) ? pending : seenAhead;
                    }
                }
            }
            if (pending == NONE) {
                return;
            }
            if (moved) {
                wait.begin();
                seenAhead = NONE;
            } else if (ahead != NONE) {
                // It was in its collective before this look, in which nothing of it moved: nothing ever will.
                throw wait.disagreement(call, ahead, rounds.calledBy(ahead));
            } else {
                wait.pass(call, pending);
            }
        }
    }

    private static boolean isBehindAnother(GroupCall call, int index) {
        Transfer transfer = call.transfer(index);
        for (int earlier = 0; earlier < index; earlier++) {
            Transfer other = call.transfer(earlier);
            if (!other.isDone() && other.sends() == transfer.sends() && other.peer() == transfer.peer()) {
                return true;
            }
        }
        return false;
    }

    /// Moves as much as there is room for, or has come.
    ///
    /// @return true if anything moved
    private boolean advance(GroupCall call, Transfer transfer) {
        boolean sends = transfer.sends();
        RegionLayout layout = region.layout();
        long ring = sends ? layout.ring(own, transfer.peer()) : layout.ring(transfer.peer(), own);
        long ownPlace = ring + (sends ? RegionLayout.SENT : RegionLayout.RECEIVED);
        long theirs = region.acquire(ring + (sends ? RegionLayout.RECEIVED : RegionLayout.SENT));
        long start = region.plain(ownPlace);
        long at = start;
        long free = sends ? capacity - (start - theirs) : theirs - start;
        if (!transfer.hasBegun()) {
            if (free < RegionLayout.MESSAGE_HEAD_BYTES) {
                return false;
            }
            long head = RegionLayout.ringData(ring) + (at & (capacity - 1));
            if (sends) {
                region.plain(head, transfer.bytes());
            } else {
                requireLength(call, transfer, region.plain(head));
            }
            at += RegionLayout.MESSAGE_HEAD_BYTES;
            free -= RegionLayout.MESSAGE_HEAD_BYTES;
            transfer.begin();
        }
        long length = Math.min(free, transfer.left());
        copy(transfer, RegionLayout.ringData(ring), at, length);
        at += length;
        transfer.advance(length);
        if (transfer.isDone()) {
            at = (at + RegionLayout.MESSAGE_HEAD_BYTES - 1) & -RegionLayout.MESSAGE_HEAD_BYTES;
        }
        region.release(ownPlace, at);
        return at != start;
    }

    private void requireLength(GroupCall call, Transfer transfer, long bytes) {
        if (bytes != transfer.bytes()) {
            throw wait.disagreement(
                    call,
                    transfer.peer(),
                    "send of " + bytes + " bytes to rank " + group.worldRank(own) + ", which expects "
                            + transfer.bytes());
        }
    }

    /// Copies bytes into the ring or out of it, in two pieces where they go over its end.
    private void copy(Transfer transfer, long data, long position, long length) {
        MemorySegment ring = region.memory();
        MemorySegment segment = transfer.segment();
        long at = position & (capacity - 1);
        long first = Math.min(length, capacity - at);
        long rest = transfer.position() + first;
        if (transfer.sends()) {
            MemorySegment.copy(segment, transfer.position(), ring, data + at, first);
            MemorySegment.copy(segment, rest, ring, data, length - first);
        } else {
            MemorySegment.copy(ring, data + at, segment, transfer.position(), first);
            MemorySegment.copy(ring, data, segment, rest, length - first);
        }
    }
}
