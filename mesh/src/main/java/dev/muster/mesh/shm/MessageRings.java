package dev.muster.mesh.shm;

import dev.muster.mesh.collective.Call;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.Transfer;
import java.lang.foreign.MemorySegment;

/// Messages between two members: a ring of bytes for each direction, one writer and one reader. Messages longer
/// than the ring pass through it in parts. Before each message stands its length; messages begin at multiples
/// of 16 bytes, so that a length is never torn by the end of the ring.
final class MessageRings {
    private static final int NOBODY = -1;

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
    void exchange(Call call) {
        wait.begin();
        int seenAhead = NOBODY;
        while (true) {
            boolean moved = false;
            int pending = NOBODY;
            int ahead = seenAhead;
            for (int index = 0; index < call.transferCount(); index++) {
                Transfer transfer = call.transfer(index);
                if (!transfer.isDone() && !isBehindAnother(call, index)) {
                    moved |= transfer.sends() ? send(transfer) : receive(call, transfer);
                    if (!transfer.isDone()) {
                        pending = transfer.peer();
                        seenAhead = rounds.isAhead(pending) ? pending : seenAhead;
                    }
                }
            }
            if (pending == NOBODY) {
                return;
            }
            if (moved) {
                wait.begin();
                seenAhead = NOBODY;
            } else if (ahead != NOBODY) {
                // It was in its collective before this look, in which nothing of it moved: nothing ever will.
                throw wait.disagreement(call, ahead, rounds.calledBy(ahead));
            } else {
                wait.pass(call, pending);
            }
        }
    }

    private static boolean isBehindAnother(Call call, int index) {
        Transfer transfer = call.transfer(index);
        for (int earlier = 0; earlier < index; earlier++) {
            Transfer other = call.transfer(earlier);
            if (!other.isDone() && other.sends() == transfer.sends() && other.peer() == transfer.peer()) {
                return true;
            }
        }
        return false;
    }

    private boolean send(Transfer transfer) {
        long ring = region.layout().ring(own, transfer.peer());
        long sent = region.plain(ring + RegionLayout.SENT);
        long room = capacity - (sent - region.acquire(ring + RegionLayout.RECEIVED));
        long start = sent;
        if (!transfer.hasBegun()) {
            if (room < RegionLayout.MESSAGE_HEAD_BYTES) {
                return false;
            }
            region.plain(RegionLayout.ringData(ring) + (sent & (capacity - 1)), transfer.bytes());
            sent += RegionLayout.MESSAGE_HEAD_BYTES;
            room -= RegionLayout.MESSAGE_HEAD_BYTES;
            transfer.begin();
        }
        long length = Math.min(room, transfer.left());
        copyIn(transfer, RegionLayout.ringData(ring), sent, length);
        sent += length;
        transfer.advance(length);
        if (transfer.isDone()) {
            sent = (sent + RegionLayout.MESSAGE_HEAD_BYTES - 1) & -RegionLayout.MESSAGE_HEAD_BYTES;
        }
        region.release(ring + RegionLayout.SENT, sent);
        return sent != start;
    }

    private void copyIn(Transfer transfer, long data, long position, long length) {
        long at = position & (capacity - 1);
        long first = Math.min(length, capacity - at);
        MemorySegment.copy(transfer.segment(), transfer.position(), region.memory(), data + at, first);
        MemorySegment.copy(transfer.segment(), transfer.position() + first, region.memory(), data, length - first);
    }

    private boolean receive(Call call, Transfer transfer) {
        long ring = region.layout().ring(transfer.peer(), own);
        long received = region.plain(ring + RegionLayout.RECEIVED);
        long there = region.acquire(ring + RegionLayout.SENT) - received;
        long start = received;
        if (!transfer.hasBegun()) {
            if (there < RegionLayout.MESSAGE_HEAD_BYTES) {
                return false;
            }
            long bytes = region.plain(RegionLayout.ringData(ring) + (received & (capacity - 1)));
            if (bytes != transfer.bytes()) {
                throw wait.disagreement(
                        call,
                        transfer.peer(),
                        "send of " + bytes + " bytes to rank " + group.worldRank(own) + ", which awaits "
                                + transfer.bytes());
            }
            received += RegionLayout.MESSAGE_HEAD_BYTES;
            there -= RegionLayout.MESSAGE_HEAD_BYTES;
            transfer.begin();
        }
        long length = Math.min(there, transfer.left());
        copyOut(transfer, RegionLayout.ringData(ring), received, length);
        received += length;
        transfer.advance(length);
        if (transfer.isDone()) {
            received = (received + RegionLayout.MESSAGE_HEAD_BYTES - 1) & -RegionLayout.MESSAGE_HEAD_BYTES;
        }
        region.release(ring + RegionLayout.RECEIVED, received);
        return received != start;
    }

    private void copyOut(Transfer transfer, long data, long position, long length) {
        long at = position & (capacity - 1);
        long first = Math.min(length, capacity - at);
        MemorySegment.copy(region.memory(), data + at, transfer.segment(), transfer.position(), first);
        MemorySegment.copy(region.memory(), data, transfer.segment(), transfer.position() + first, length - first);
    }
}
