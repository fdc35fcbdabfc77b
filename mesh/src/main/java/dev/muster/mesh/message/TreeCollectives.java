package dev.muster.mesh.message;

import dev.muster.mesh.collective.Call;
import dev.muster.mesh.collective.GroupIdentity;
import java.lang.foreign.MemorySegment;

/// Collectives along a binomial tree: the number of steps grows with the logarithm of the members. Long messages go
/// chunk by chunk, so that members pass one on while the next arrives.
final class TreeCollectives {
    private static final long CHUNK_BYTES = 256 << 10;

    private final MessageMover mover;
    private final int ranks;
    private final int own;

    TreeCollectives(GroupIdentity group, MessageMover mover) {
        this.mover = mover;
        this.ranks = group.size();
        this.own = group.rank();
    }

    /// Each member hears from one that is ever farther away: after log2 steps, from all.
    void barrier(Call call) {
        for (int distance = 1; distance < ranks; distance *= 2) {
            mover.send((own + distance) % ranks, MemorySegment.NULL, 0, 0);
            mover.receive((own - distance + ranks) % ranks, MemorySegment.NULL, 0, 0);
            mover.move(call);
        }
    }

    void broadcast(Call call) {
        long bytes = call.count() * call.type().bytes();
        int place = (own - call.root() + ranks) % ranks;
        for (long from = 0; from == 0 || from < bytes; from += CHUNK_BYTES) {
            long length = Math.min(CHUNK_BYTES, bytes - from);
            int step = 1;
            while (step < ranks && (place & step) == 0) {
                step *= 2;
            }
            if (place != 0) {
                mover.receive((place - step + call.root()) % ranks, call.output(), from, length);
                mover.move(call);
            }
            for (int below = step / 2; below > 0; below /= 2) {
                if (place + below < ranks) {
                    mover.send((place + below + call.root()) % ranks, call.output(), from, length);
                }
            }
            mover.move(call);
        }
    }
}
