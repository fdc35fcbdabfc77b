// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.hier;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupCall.Inner;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.engine.Reducer;
import dev.muster.mesh.engine.Scratch;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Collectives in three stages: within each host, between the first members of hosts, and within each
/// host again. Between hosts a buffer travels once for each host and not once for each member.
///
/// What gains nothing by it goes between all members directly: messages, pieces for each member,
/// gathered pieces that do not lie together, and reductions whose partial results would change the
/// outcome.
public final class HierEngine implements Engine {
    private static final int FIRST = 0;
    private static final int BETWEEN = 1;
    private static final int LAST = 2;

    private final HostLayout layout;
    private final @Nullable Engine host;
    private final @Nullable Engine leaders;
    private final Engine all;
    private final boolean inRankOrder;
    private final Inner hostCall;
    private final Inner leaderCall;
    private final int[] hostBounds;
    private final int[] memberBounds;
    private final Reducer reducer = new Reducer();
    private final Scratch scratch = new Scratch();
    private final Window window = new Window();

    /// An engine made of engines, which it closes.
    ///
    /// @param host joins the members of this host; none where there is one
    /// @param leaders joins the first members of hosts; none on others, and where there is one host
    /// @param all joins all members
    /// @param inRankOrder true if reductions of floats always take ranks in ascending order
    public HierEngine(
            HostLayout layout, @Nullable Engine host, @Nullable Engine leaders, Engine all, boolean inRankOrder) {
        this.layout = layout;
        this.host = host;
        this.leaders = leaders;
        this.all = all;
        this.inRankOrder = inRankOrder;
        this.hostCall = new Inner(layout.neighbours().length);
        this.leaderCall = new Inner(layout.hosts());
        this.hostBounds = layout.hostBounds();
        this.memberBounds = layout.memberBounds();
    }

    @Override
    public String name() {
        return "hier";
    }

    @Override
    public void execute(GroupCall call) {
        if (goesBetweenAll(call)) {
            all.execute(call);
            return;
        }
        switch (call.operation()) {
            case BARRIER -> barrier(call);
            case BROADCAST -> broadcast(call);
            case ALL_REDUCE -> allReduce(call);
            case REDUCE -> reduce(call);
            case ALL_GATHER -> allGather(call);
            case REDUCE_SCATTER, GATHER, SCATTER, ALL_TO_ALL, EXCHANGE ->
                throw new IllegalStateException(call.text() + " is not done in stages");
        }
    }

    private boolean goesBetweenAll(GroupCall call) {
        return switch (call.operation()) {
            case BARRIER, BROADCAST -> layout.ranks() == 1;
            case ALL_REDUCE, REDUCE ->
                layout.ranks() == 1 || Reducer.needsRankOrder(call.type(), call.reduceOp(), inRankOrder);
            case ALL_GATHER -> layout.ranks() == 1 || call.isUneven() || !layout.isContiguous();
            case REDUCE_SCATTER, GATHER, SCATTER, ALL_TO_ALL, EXCHANGE -> true;
        };
    }

    private void onHost(GroupCall step) {
        if (host != null) {
            host.execute(step);
        }
    }

    private void betweenHosts(GroupCall step) {
        if (leaders != null) {
            leaders.execute(step);
        }
    }

    private void barrier(GroupCall call) {
        onHost(hostCall.barrier(call, FIRST));
        betweenHosts(leaderCall.barrier(call, BETWEEN));
        onHost(hostCall.barrier(call, LAST));
    }

    private void broadcast(GroupCall call) {
        int rootHost = layout.hostOf(call.root());
        boolean hasRoot = layout.ownHost() == rootHost;
        MemorySegment buffer = call.output();
        if (hasRoot) {
            onHost(hostCall.broadcast(call, FIRST, buffer, call.count(), layout.placeOf(call.root())));
        }
        betweenHosts(leaderCall.broadcast(call, BETWEEN, buffer, call.count(), rootHost));
        if (!hasRoot) {
            onHost(hostCall.broadcast(call, LAST, buffer, call.count(), 0));
        }
    }

    private static ReduceOp partial(ReduceOp op) {
        return op.equals(ReduceOp.AVERAGE) ? ReduceOp.SUM : op;
    }

    private static long bytes(GroupCall call) {
        return call.count() * call.type().bytes();
    }

    /// All members of a host reduce, since each does a piece of it; the partial result of the first one
    /// counts.
    private void allReduce(GroupCall call) {
        MemorySegment output = call.output();
        ReduceOp op = partial(call.reduceOp());
        if (host == null) {
            MemorySegment.copy(call.input(), 0, output, 0, bytes(call));
        }
        onHost(hostCall.reduce(Operation.ALL_REDUCE, call, FIRST, call.input(), output, op, 0));
        betweenHosts(leaderCall.reduce(Operation.ALL_REDUCE, call, BETWEEN, output, output, op, 0));
        if (layout.isLeader()) {
            divide(call, output);
        }
        onHost(hostCall.broadcast(call, LAST, output, call.count(), 0));
    }

    private void divide(GroupCall call, MemorySegment sums) {
        if (call.reduceOp().equals(ReduceOp.AVERAGE)) {
            reducer.divide(call.type(), sums, 0, call.count(), layout.ranks());
        }
    }

    private void reduce(GroupCall call) {
        ReduceOp op = partial(call.reduceOp());
        int rootHost = layout.hostOf(call.root());
        int rootPlace = layout.placeOf(call.root());
        boolean isRoot = layout.rank() == call.root();
        MemorySegment sums = MemorySegment.NULL;
        if (layout.isLeader()) {
            sums = isRoot ? call.output() : scratch.ofBytes(bytes(call));
        }
        onHost(hostCall.reduce(Operation.REDUCE, call, FIRST, call.input(), sums, op, 0));
        MemorySegment own = host == null ? call.input() : sums;
        betweenHosts(leaderCall.reduce(Operation.REDUCE, call, BETWEEN, own, sums, op, rootHost));
        if (layout.ownHost() != rootHost) {
            return;
        }
        if (layout.isLeader()) {
            divide(call, sums);
            if (!isRoot) {
                onHost(hostCall.send(call, LAST, sums, bytes(call), rootPlace));
            }
        } else if (isRoot) {
            onHost(hostCall.receive(call, LAST, call.output(), bytes(call), 0));
        }
    }

    private void allGather(GroupCall call) {
        int first = layout.neighbours()[0];
        MemorySegment output = layout.isLeader() ? call.output() : MemorySegment.NULL;
        if (host == null) {
            MemorySegment.copy(call.input(), 0, call.output(), first * bytes(call), bytes(call));
        }
        onHost(hostCall.gather(Operation.GATHER, call, FIRST, call.input(), output, memberBounds));
        if (leaders != null) {
            MemorySegment own = window.of(call.output(), first * bytes(call), layout.neighbours().length * bytes(call));
            betweenHosts(leaderCall.gather(Operation.ALL_GATHER, call, BETWEEN, own, call.output(), hostBounds));
        }
        onHost(hostCall.broadcast(call, LAST, call.output(), call.count() * layout.ranks(), 0));
    }

    @Override
    public void abort(GroupException reason) {
        if (host != null) {
            host.abort(reason);
        }
        if (leaders != null) {
            leaders.abort(reason);
        }
        all.abort(reason);
    }

    @Override
    public void close() {
        if (host != null) {
            host.close();
        }
        if (leaders != null) {
            leaders.close();
        }
        all.close();
        scratch.close();
    }

    /// A part of a buffer, remembered: callers use the same buffers again and again, and cutting the part
    /// out anew would leave garbage at each call. Confined to one thread.
    private static final class Window {
        private MemorySegment whole = MemorySegment.NULL;
        private MemorySegment part = MemorySegment.NULL;
        private long from;

        MemorySegment of(MemorySegment buffer, long offset, long bytes) {
            // Equal segments lie at the same place, but memory may have been freed and given out again.
            boolean known = buffer.equals(whole)
                    && buffer.scope().equals(whole.scope())
                    && from == offset
                    && part.byteSize() == bytes;
            if (!known) {
                whole = buffer;
                part = buffer.asSlice(offset, bytes);
                from = offset;
            }
            return part;
        }
    }
}
