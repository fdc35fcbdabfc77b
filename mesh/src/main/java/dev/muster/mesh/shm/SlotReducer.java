// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.shm;

import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.engine.Reducer;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Reduces what members have put into a shared region. It takes ranks in ascending order, so that results are the same
/// on all members, bit for bit.
final class SlotReducer {
    private final Rounds rounds;
    private final Reducer reducer = new Reducer();
    private final MemorySegment[] sources;
    private final long[] offsets;

    SlotReducer(Rounds rounds) {
        this.rounds = rounds;
        this.sources = new MemorySegment[rounds.ranks()];
        this.offsets = new long[rounds.ranks()];
        Arrays.fill(sources, rounds.memory());
    }

    /// Reduces what lies at the same offset in the slots of all others and in this rank's own buffer.
    void reduceSlots(
            GroupCall call,
            long slotShift,
            MemorySegment mine,
            long mineOffset,
            MemorySegment to,
            long offset,
            long count) {
        for (int rank = 0; rank < offsets.length; rank++) {
            offsets[rank] = rounds.slotOf(rank) + slotShift;
        }
        int own = own(mine, mineOffset);
        reducer.reduce(call.type(), call.reduceOp(), sources, offsets, offsets.length, to, offset, count);
        sources[own] = rounds.memory();
    }

    /// Reduces all that lies in the slots, as all other members do.
    void reduceWholeSlots(GroupCall call) {
        for (int rank = 0; rank < offsets.length; rank++) {
            offsets[rank] = rounds.slotOf(rank);
        }
        reduceAlike(call);
    }

    /// Reduces the few bytes beside the numbers of all others, and this rank's own.
    void reduceInline(GroupCall call) {
        for (int rank = 0; rank < offsets.length; rank++) {
            offsets[rank] = rounds.inlineOf(rank);
        }
        reduceAlike(call);
    }

    private void reduceAlike(GroupCall call) {
        int own = own(call.input(), 0);
        reducer.reduceAlike(
                call.type(), call.reduceOp(), sources, offsets, offsets.length, call.output(), 0, call.count());
        sources[own] = rounds.memory();
    }

    /// This rank's part lies in its own buffer.
    private int own(MemorySegment mine, long offset) {
        int own = rounds.own();
        sources[own] = mine;
        offsets[own] = offset;
        return own;
    }
}
