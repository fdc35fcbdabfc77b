// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.shm;

import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupIdentity;
import java.lang.foreign.MemorySegment;

/// The rounds of one member of a shared region. In each round every member puts what it has into its slot, shows the
/// number of the round and what it calls, waits until all others show the same, and takes what it needs from their
/// slots.
///
/// Slots alternate between rounds: a member that shows round k + 1 has taken all it needs of round k, so that
/// a member that has seen all of round k + 1 may overwrite what round k left. What members call is compared in every
/// round, which costs nothing: it lies beside the number that is awaited. Confined to one thread.
final class Rounds {
    private final SharedRegion region;
    private final RegionLayout layout;
    private final MemorySegment memory;
    private final RoundWait wait;
    private final int ranks;
    private final int own;
    private long round;
    private long what;
    private long howMuch;

    Rounds(GroupIdentity group, SharedRegion region, RoundWait wait) {
        this.region = region;
        this.layout = region.layout();
        this.memory = region.memory();
        this.wait = wait;
        this.ranks = group.size();
        this.own = group.rank();
    }

    /// Begins a call, which takes one round or several.
    void begin(GroupCall call) {
        what = call.what();
        howMuch = call.howMuch();
    }

    int ranks() {
        return ranks;
    }

    int own() {
        return own;
    }

    MemorySegment memory() {
        return memory;
    }

    int slotBytes() {
        return layout.slotBytes();
    }

    /// Returns the offset of this rank's slot of the coming round.
    long slot() {
        return slotOf(own);
    }

    /// Returns the offset of the slot of a rank in this round.
    long slotOf(int rank) {
        return layout.slot(rank, (int) (round & 1));
    }

    /// Returns the offset of this rank's slot of the round after this one.
    long nextSlot() {
        return layout.slot(own, (int) ((round + 1) & 1));
    }

    /// Returns the offset of a rank's few bytes beside its number in this round.
    long inlineOf(int rank) {
        return layout.line(rank, (int) (round & 1)) + RegionLayout.INLINE;
    }

    void put(MemorySegment from, long offset, long slotOffset, long bytes) {
        MemorySegment.copy(from, offset, memory, slotOffset, bytes);
    }

    void put(long value, long slotOffset) {
        region.plain(slotOffset, value);
    }

    void take(long slotOffset, MemorySegment to, long offset, long bytes) {
        MemorySegment.copy(memory, slotOffset, to, offset, bytes);
    }

    long take(long slotOffset) {
        return region.plain(slotOffset);
    }

    /// Shows that this rank has come to the round, and waits until all others have.
    void meet(GroupCall call) {
        int parity = (int) (round & 1);
        long mark = round + 1;
        long line = layout.line(own, parity);
        region.plain(line + RegionLayout.WHAT, what);
        region.plain(line + RegionLayout.HOW_MUCH, howMuch);
        region.release(line + RegionLayout.ROUND, mark);
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != own) {
                await(call, peer, layout.line(peer, parity), mark);
            }
        }
    }

    private void await(GroupCall call, int peer, long line, long mark) {
        if (region.acquire(line + RegionLayout.ROUND) != mark) {
            wait.begin();
            do {
                wait.pass(call, peer);
            } while (region.acquire(line + RegionLayout.ROUND) != mark);
        }
        long theirs = region.plain(line + RegionLayout.WHAT);
        long theirSize = region.plain(line + RegionLayout.HOW_MUCH);
        if (theirs != what || theirSize != howMuch) {
            throw wait.disagreement(call, peer, GroupCall.text(theirs, theirSize));
        }
    }

    /// Reports whether a member has come to a round that this rank has not: it will neither send nor receive before
    /// this rank comes too.
    boolean isAhead(int peer) {
        return region.acquire(layout.line(peer, (int) (round & 1)) + RegionLayout.ROUND) == round + 1;
    }

    /// Describes the call of a member that is ahead.
    String calledBy(int peer) {
        long line = layout.line(peer, (int) (round & 1));
        return GroupCall.text(region.plain(line + RegionLayout.WHAT), region.plain(line + RegionLayout.HOW_MUCH));
    }

    /// Ends the round: what it left may be overwritten in the round after the next.
    void end() {
        round++;
    }
}
