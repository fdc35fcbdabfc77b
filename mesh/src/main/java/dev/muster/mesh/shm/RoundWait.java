// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.shm;

import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.engine.FailureNote;
import dev.muster.mesh.engine.RankWait;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Waits for other members, and looks in between whether waiting still makes sense. Confined to one thread, except for
/// [#stop(GroupException)].
///
/// Where each member may have a processor to itself, it looks all the time at first, then naps. It never lets
/// others run in between: on a busy machine that costs milliseconds, while one that wakes from a nap goes
/// before those that never rest.
final class RoundWait {
    /// The number of looks before it asks anything else; some microseconds.
    private static final int SPINS = 100;
    /// The number of looks before it naps.
    private static final long SPIN_NANOS = 100_000;
    /// The number of looks where there are more members than processors: the awaited one may need this one's.
    private static final int SPINS_WHEN_CROWDED = 1;
    /// The number of times that it then lets others run before it naps.
    private static final int YIELDS_WHEN_CROWDED = 2_000;

    private static final long LIFELINE_PERIOD_NANOS = 10_000_000;
    private static final int NONE = -1;

    private final GroupIdentity group;
    private final SharedRegion region;
    private final Lifeline lifeline;
    private final SharedProcessors processors;
    private final boolean mayRunTogether;
    private final RankWait patience;
    private boolean spinning;
    private int spins;
    private long spinsUntil;
    private volatile @Nullable GroupException stopped;
    private long nextLifeline = Long.MAX_VALUE;
    private int gone = NONE;

    RoundWait(GroupIdentity group, SharedRegion region, Lifeline lifeline, int processors) {
        this.group = group;
        this.region = region;
        this.lifeline = lifeline;
        this.processors = new SharedProcessors(region, group.rank());
        this.mayRunTogether = group.size() <= processors;
        this.patience = mayRunTogether ? new RankWait(0, 0) : new RankWait(SPINS_WHEN_CROWDED, YIELDS_WHEN_CROWDED);
    }

    /// Begins to wait for something else.
    void begin() {
        patience.begin();
        spinning = mayRunTogether;
        spins = 0;
        nextLifeline = Long.MAX_VALUE;
        gone = NONE;
    }

    /// Passes a moment in vain. The caller looks again afterwards.
    ///
    /// @param peer the member that is awaited
    void pass(GroupCall call, int peer) {
        if (spinning) {
            Thread.onSpinWait();
            if (++spins % SPINS == 0) {
                long now = System.nanoTime();
                spinsUntil = spins == SPINS ? now + SPIN_NANOS : spinsUntil;
                spinning = now - spinsUntil < 0 && !processors.isSharedWith(peer, now);
                examine(call, peer, now);
            }
        } else if (patience.pass()) {
            examine(call, peer, System.nanoTime());
        }
    }

    private void examine(GroupCall call, int peer, long now) {
        throwIfStopped();
        if (region.hasFailed()) {
            throw FailureNote.read(region.failure().orElse(""), group.worldRank(region.failureRank()));
        }
        if (call.isOverdue(now)) {
            throw overdue(call, peer); // told to the others once it is clear who is to blame
        }
        if (nextLifeline == Long.MAX_VALUE) {
            nextLifeline = now + LIFELINE_PERIOD_NANOS;
        } else if (now - nextLifeline >= 0) {
            nextLifeline = now + LIFELINE_PERIOD_NANOS;
            if (region.hasLeft(peer) || lifeline.isCut(peer)) {
                if (gone == peer) {
                    throw publish(lost(call, peer));
                }
                // It may have come since the caller looked, and have gone after that: the caller looks once more.
                gone = peer;
                nextLifeline = now;
            }
        }
    }

    void throwIfStopped() {
        GroupException reason = stopped;
        if (reason != null) {
            throw reason;
        }
    }

    private GroupException overdue(GroupCall call, int peer) {
        return GroupException.overdue(group.where(call), call.limit(), missing(call, peer));
    }

    private List<Integer> missing(GroupCall call, int peer) {
        if (call.operation().equals(Operation.EXCHANGE)) {
            return List.of(group.worldRank(peer));
        }
        RegionLayout layout = region.layout();
        int own = group.rank();
        long mine = Math.max(region.acquire(layout.line(own, 0)), region.acquire(layout.line(own, 1)));
        List<Integer> missing = new ArrayList<>();
        for (int rank = 0; rank < group.size(); rank++) {
            long theirs = Math.max(region.acquire(layout.line(rank, 0)), region.acquire(layout.line(rank, 1)));
            if (theirs < mine) {
                missing.add(group.worldRank(rank));
            }
        }
        return missing;
    }

    private GroupException lost(GroupCall call, int peer) {
        int rank = group.worldRank(peer);
        String how = region.hasLeft(peer) ? " has left the group" : " has ended";
        return new GroupException(GroupError.PEER_LOST, group.where(call) + ": rank " + rank + how, List.of(rank));
    }

    /// Says that a member calls something else.
    GroupException disagreement(GroupCall call, int peer, String theirs) {
        return publish(new GroupException(
                GroupError.DISAGREEMENT,
                group.where(call) + ": rank " + group.worldRank(group.rank()) + " calls " + call.text() + ", rank "
                        + group.worldRank(peer) + " calls " + theirs));
    }

    private GroupException publish(GroupException failure) {
        region.publishFailure(group.rank(), FailureNote.write(failure));
        return failure;
    }

    /// Ends the waiting of this process and, by the region, of all others.
    void stop(GroupException reason) {
        stopped = reason;
        region.publishFailure(group.rank(), FailureNote.write(reason));
    }

    /// Tells whether a member can still come. Asked only while waiting.
    interface Lifeline extends AutoCloseable {
        /// Reports whether the process of a member has ended.
        boolean isCut(int rank);

        @Override
        void close();
    }
}
