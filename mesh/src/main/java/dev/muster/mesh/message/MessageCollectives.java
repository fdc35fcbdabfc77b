// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.message;

import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.Transfer;
import dev.muster.mesh.engine.Reducer;
import dev.muster.mesh.engine.Scratch;
import java.lang.foreign.MemorySegment;

/// Every operation by messages; which way they go depends on how many members there are, how much there
/// is to move, and whether the order of the reduction matters. Confined to the thread whose call it is.
public final class MessageCollectives implements AutoCloseable {
    /// Up to so many members everyone talks to everyone: nothing is faster.
    private static final int DIRECT_RANKS = 8;

    private final GroupIdentity group;
    private final MessageTransport mover;
    private final Reducer reducer = new Reducer();
    private final Scratch scratch = new Scratch();
    private final DirectCollectives direct;
    private final StepwiseCollectives stepwise;
    private final TreeCollectives tree;
    private final MemorySegment[] own = new MemorySegment[1];
    private final long[] start = new long[1];
    private final boolean inRankOrder;

    /// Operations of a group over what moves its messages.
    ///
    /// @param inRankOrder true if reductions always take ranks in ascending order, at any cost
    public MessageCollectives(GroupIdentity group, MessageTransport mover, boolean inRankOrder) {
        this.group = group;
        this.mover = mover;
        this.inRankOrder = inRankOrder;
        this.direct = new DirectCollectives(group, mover, reducer, scratch);
        this.stepwise = new StepwiseCollectives(group, mover, reducer, scratch);
        this.tree = new TreeCollectives(group, mover);
    }

    /// Carries out an operation.
    public void execute(GroupCall call) {
        mover.begin(call);
        if (call.operation().hasRoot()) {
            compareRound();
        }
        switch (call.operation()) {
            case BARRIER -> tree.barrier(call);
            case BROADCAST -> tree.broadcast(call);
            case ALL_REDUCE -> allReduce(call);
            case REDUCE -> {
                if (group.size() == 1) {
                    reduceOwn(call);
                } else {
                    direct.reduce(call);
                }
            }
            case REDUCE_SCATTER -> direct.reduceScatter(call);
            case ALL_GATHER -> {
                if (group.size() <= DIRECT_RANKS) {
                    direct.gather(call, true);
                } else {
                    stepwise.allGather(call);
                }
            }
            case GATHER -> direct.gather(call, false);
            case SCATTER -> direct.scatter(call);
            case ALL_TO_ALL -> direct.allToAll(call);
            case EXCHANGE -> exchange(call);
        }
    }

    /// Adds messages of no length round the ring, which carry nothing but what each member calls. For
    /// operations in which a member that calls something else might otherwise hear of no member, and no member
    /// of it.
    private void compareRound() {
        int ranks = group.size();
        if (ranks > 1) {
            mover.send((group.rank() + 1) % ranks, MemorySegment.NULL, 0, 0);
            mover.receive((group.rank() - 1 + ranks) % ranks, MemorySegment.NULL, 0, 0);
        }
    }

    private void allReduce(GroupCall call) {
        if (group.size() == 1) {
            reduceOwn(call);
        } else if (group.size() <= DIRECT_RANKS
                || inRankOrder
                || call.type().isNarrow()
                || Reducer.needsRankOrder(call.type(), call.reduceOp(), false)) {
            direct.allReduce(call);
        } else {
            stepwise.allReduce(call);
        }
    }

    private void reduceOwn(GroupCall call) {
        own[0] = call.input();
        reducer.reduce(call.type(), call.reduceOp(), own, start, 1, call.output(), 0, call.count());
    }

    private void exchange(GroupCall call) {
        int taken = 0;
        for (int i = 0; i < call.transferCount(); i++) {
            Transfer message = call.transfer(i);
            if (message.peer() == group.rank()) {
                if (message.sends()) {
                    taken = deliver(call, message, taken);
                }
            } else if (message.sends()) {
                mover.send(message.peer(), message.segment(), message.position(), message.bytes());
            } else {
                mover.receive(message.peer(), message.segment(), message.position(), message.bytes());
            }
        }
        mover.move(call);
    }

    /// Delivers a message of this member to itself to the next of those that it awaits of itself.
    ///
    /// @param from the first message of the call that may be the one
    /// @return the first that may be that of the next message
    /// @throws GroupException `disagreement` if it awaits none of that length
    private int deliver(GroupCall call, Transfer sent, int from) {
        int own = group.rank();
        for (int i = from; i < call.transferCount(); i++) {
            Transfer awaited = call.transfer(i);
            if (awaited.peer() == own && !awaited.sends() && awaited.bytes() == sent.bytes()) {
                MemorySegment.copy(
                        sent.segment(), sent.position(), awaited.segment(), awaited.position(), sent.bytes());
                return i + 1;
            }
        }
        throw new GroupException(
                GroupError.DISAGREEMENT,
                group.where(call) + ": rank " + group.worldRank(own) + " sends itself " + sent.bytes()
                        + " bytes that it does not expect");
    }

    /// Frees the memory for what arrives.
    @Override
    public void close() {
        scratch.close();
    }

    /// Collectives along a binomial tree: the number of steps grows with the logarithm of the members. Long messages go
    /// chunk by chunk, so that members pass one on while the next arrives.
    private static final class TreeCollectives {
        private static final long CHUNK_BYTES = 256 << 10;

        private final MessageTransport mover;
        private final int ranks;
        private final int own;

        TreeCollectives(GroupIdentity group, MessageTransport mover) {
            this.mover = mover;
            this.ranks = group.size();
            this.own = group.rank();
        }

        /// Each member hears from one that is ever farther away: after log2 steps, from all.
        void barrier(GroupCall call) {
            for (int distance = 1; distance < ranks; distance *= 2) {
                mover.send((own + distance) % ranks, MemorySegment.NULL, 0, 0);
                mover.receive((own - distance + ranks) % ranks, MemorySegment.NULL, 0, 0);
                mover.move(call);
            }
        }

        void broadcast(GroupCall call) {
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
}
