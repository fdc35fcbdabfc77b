// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.fake;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.Transfer;
import dev.muster.mesh.engine.Reducer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Carries out operations as if every rank held what this one holds; see [FakeSession] for what follows
/// from it.
final class FakeEngine implements Engine {
    private final int ranks;
    private final int own;
    private final Reducer reducer = new Reducer();
    private volatile @Nullable GroupException stopped;

    FakeEngine(GroupIdentity group) {
        this.ranks = group.size();
        this.own = group.rank();
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public void execute(GroupCall call) {
        GroupException reason = stopped;
        if (reason != null) {
            throw reason;
        }
        boolean isRoot = own == call.root();
        switch (call.operation()) {
            case BARRIER, BROADCAST -> {
                // All are there, and have the same already.
            }
            case ALL_REDUCE -> reduce(call, 0, call.count());
            case REDUCE -> {
                if (isRoot) {
                    reduce(call, 0, call.count());
                }
            }
            case REDUCE_SCATTER -> reduce(call, call.offset(own), call.pieceCount(own));
            case ALL_GATHER -> gather(call);
            case GATHER -> {
                if (isRoot) {
                    gather(call);
                }
            }
            case SCATTER -> {
                if (isRoot) {
                    scatter(call);
                }
            }
            case ALL_TO_ALL -> allToAll(call);
            case EXCHANGE -> exchange(call);
        }
    }

    private void reduce(GroupCall call, long from, long count) {
        long offset = from * call.type().bytes();
        reducer.repeat(call.type(), call.reduceOp(), call.input(), offset, ranks, call.output(), 0, count);
    }

    private void gather(GroupCall call) {
        int size = call.type().bytes();
        long mine = call.pieceCount(own) * size;
        for (int rank = 0; rank < ranks; rank++) {
            fill(call.input(), 0, mine, call.output(), call.offset(rank) * size, call.pieceCount(rank) * size);
        }
    }

    private void scatter(GroupCall call) {
        int size = call.type().bytes();
        MemorySegment.copy(call.input(), call.offset(own) * size, call.output(), 0, call.pieceCount(own) * size);
    }

    private void allToAll(GroupCall call) {
        int size = call.type().bytes();
        long from = call.offset(own) * size;
        long mine = call.pieceCount(own) * size;
        // The own piece comes first: in place it is the source of all others and lies where it stays.
        fill(call.input(), from, mine, call.output(), call.receiveOffset(own) * size, mine);
        for (int rank = 0; rank < ranks; rank++) {
            if (rank != own) {
                long to = call.receiveOffset(rank) * size;
                fill(call.input(), from, mine, call.output(), to, call.receiveCount(rank) * size);
            }
        }
    }

    /// Writes a piece over and over until the room is full; of no piece, zeros.
    private static void fill(MemorySegment piece, long from, long bytes, MemorySegment room, long at, long length) {
        if (bytes == 0) {
            for (long done = 0; done < length; done++) {
                room.set(ValueLayout.JAVA_BYTE, at + done, (byte) 0);
            }
            return;
        }
        for (long done = 0; done < length; done += bytes) {
            MemorySegment.copy(piece, from, room, at + done, Math.min(bytes, length - done));
        }
    }

    /// The others send this rank what it sends them: its first message received from others is its first
    /// one sent to others, and so on. Messages to itself arrive.
    private void exchange(GroupCall call) {
        deliver(call, true);
        deliver(call, false);
    }

    private void deliver(GroupCall call, boolean toItself) {
        int next = 0;
        for (int i = 0; i < call.transferCount(); i++) {
            Transfer received = call.transfer(i);
            if (received.sends() || (received.peer() == own) != toItself) {
                continue;
            }
            next = nextSent(call, toItself, next);
            if (next == call.transferCount()) {
                return;
            }
            Transfer sent = call.transfer(next++);
            if (sent.bytes() == received.bytes()) {
                MemorySegment.copy(
                        sent.segment(), sent.position(), received.segment(), received.position(), sent.bytes());
            }
        }
    }

    private int nextSent(GroupCall call, boolean toItself, int from) {
        int index = from;
        while (index < call.transferCount()) {
            Transfer transfer = call.transfer(index);
            if (transfer.sends() && (transfer.peer() == own) == toItself) {
                return index;
            }
            index++;
        }
        return index;
    }

    @Override
    public void abort(GroupException reason) {
        stopped = reason;
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
