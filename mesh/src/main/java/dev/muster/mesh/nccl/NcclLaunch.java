// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.nccl;

import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.collective.Transfer;
import dev.muster.mesh.cuda.DeviceBuffer;
import dev.muster.mesh.cuda.GpuDevice;
import dev.muster.mesh.nccl.NcclLibrary.NcclFunction;
import org.jspecify.annotations.Nullable;

/// Hands operations to a stream: as NCCL has them, and what it lacks as messages in a bracket, which all
/// move at once. Confined to the thread of its device; leaves no garbage.
final class NcclLaunch implements AutoCloseable {
    private final NcclLibrary nccl;
    private final GpuDevice device;
    private final long communicator;
    private final long stream;
    private final int ranks;
    private final int own;
    /// For what cannot be done in place.
    private @Nullable DeviceBuffer scratch;
    /// The first refusal within a bracket.
    private int refusal;

    NcclLaunch(NcclLibrary nccl, GpuDevice device, long communicator, long stream, GroupIdentity group) {
        this.nccl = nccl;
        this.device = device;
        this.communicator = communicator;
        this.stream = stream;
        this.ranks = group.size();
        this.own = group.rank();
    }

    void launch(GroupCall call) {
        long in = call.input().address();
        long out = call.output().address();
        long count = call.count();
        long bytes = count * call.type().bytes();
        boolean isPlain =
                !call.operation().equals(Operation.BARRIER) && !call.operation().equals(Operation.EXCHANGE);
        if (count == 0 && isPlain && !call.isUneven()) {
            return;
        }
        switch (call.operation()) {
            case BARRIER -> barrier();
            case EXCHANGE -> exchange(call);
            case ALL_REDUCE ->
                nccl.begin(NcclFunction.ALL_REDUCE, in, out, count, type(call), op(call), communicator, stream, 0);
            case REDUCE ->
                nccl.begin(
                        NcclFunction.REDUCE, in, out, count, type(call), op(call), call.root(), communicator, stream);
            case BROADCAST ->
                nccl.begin(
                        NcclFunction.BROADCAST, in, out, bytes, NcclTypes.BYTE, call.root(), communicator, stream, 0);
            case ALL_GATHER -> {
                if (call.isUneven()) {
                    allGather(call, in, out);
                } else {
                    nccl.begin(NcclFunction.ALL_GATHER, in, out, bytes, NcclTypes.BYTE, communicator, stream, 0, 0);
                }
            }
            case REDUCE_SCATTER -> {
                if (call.isUneven()) {
                    reduceScatter(call, in, out);
                } else {
                    nccl.begin(
                            NcclFunction.REDUCE_SCATTER, in, out, count, type(call), op(call), communicator, stream, 0);
                }
            }
            case GATHER -> gather(call, in, out);
            case SCATTER -> scatter(call, in, out);
            case ALL_TO_ALL -> allToAll(call, in, out);
        }
    }

    private static long type(GroupCall call) {
        return NcclTypes.type(call.type());
    }

    private static long op(GroupCall call) {
        return NcclTypes.operator(call.reduceOp());
    }

    private void barrier() {
        long one = scratch(Long.BYTES);
        nccl.begin(NcclFunction.ALL_REDUCE, one, one, 1, NcclTypes.BYTE, NcclTypes.SUM, communicator, stream, 0);
    }

    private void allGather(GroupCall call, long in, long out) {
        long size = call.type().bytes();
        open();
        for (int rank = 0; rank < ranks; rank++) {
            move(in, call.pieceCount(own) * size, rank, out + call.offset(rank) * size, call.pieceCount(rank) * size);
        }
        close("all-gather");
    }

    /// Each piece is reduced to the rank that gets it.
    private void reduceScatter(GroupCall call, long in, long out) {
        long size = call.type().bytes();
        open();
        for (int rank = 0; rank < ranks; rank++) {
            long count = call.pieceCount(rank);
            if (count > 0) {
                long piece = in + call.offset(rank) * size;
                note(NcclFunction.REDUCE, piece, out, count, type(call), op(call), rank, communicator, stream);
            }
        }
        close("reduce-scatter");
    }

    private void gather(GroupCall call, long in, long out) {
        long size = call.type().bytes();
        open();
        if (own == call.root()) {
            for (int rank = 0; rank < ranks; rank++) {
                long sent = rank == own ? call.pieceCount(own) * size : 0;
                move(in, sent, rank, out + call.offset(rank) * size, call.pieceCount(rank) * size);
            }
        } else {
            move(in, call.pieceCount(own) * size, call.root(), 0, 0);
        }
        close("gather");
    }

    private void scatter(GroupCall call, long in, long out) {
        long size = call.type().bytes();
        open();
        if (own == call.root()) {
            for (int rank = 0; rank < ranks; rank++) {
                long received = rank == own ? call.pieceCount(own) * size : 0;
                move(in + call.offset(rank) * size, call.pieceCount(rank) * size, rank, out, received);
            }
        } else {
            move(0, 0, call.root(), out, call.pieceCount(own) * size);
        }
        close("scatter");
    }

    private void allToAll(GroupCall call, long in, long out) {
        long size = call.type().bytes();
        long from = in;
        if (in == out && ranks > 1) {
            long bytes = call.offset(ranks) * size;
            from = scratch(bytes);
            open();
            move(in, bytes, own, from, bytes);
            close("all-to-all");
        }
        open();
        for (int rank = 0; rank < ranks; rank++) {
            move(
                    from + call.offset(rank) * size,
                    call.pieceCount(rank) * size,
                    rank,
                    out + call.receiveOffset(rank) * size,
                    call.receiveCount(rank) * size);
        }
        close("all-to-all");
    }

    private void exchange(GroupCall call) {
        open();
        for (int i = 0; i < call.transferCount(); i++) {
            Transfer transfer = call.transfer(i);
            long at = transfer.segment().address() + transfer.position();
            long bytes = transfer.bytes();
            if (transfer.sends()) {
                move(at, bytes, transfer.peer(), 0, 0);
            } else {
                move(0, 0, transfer.peer(), at, bytes);
            }
        }
        close("exchange");
    }

    /// Sends a message to a rank and receives one from it; of no bytes, none. What is in its place
    /// already stays.
    private void move(long from, long sent, int rank, long to, long received) {
        if (rank == own && from == to) {
            return;
        }
        if (sent > 0) {
            note(NcclFunction.SEND, from, sent, NcclTypes.BYTE, rank, communicator, stream, 0, 0);
        }
        if (received > 0) {
            note(NcclFunction.RECEIVE, to, received, NcclTypes.BYTE, rank, communicator, stream, 0, 0);
        }
    }

    private void open() {
        refusal = NcclLibrary.SUCCESS;
        nccl.run(NcclFunction.GROUP_START, 0, 0);
    }

    private void note(NcclFunction function, long a, long b, long c, long d, long e, long f, long g, long h) {
        int status = nccl.call(function, a, b, c, d, e, f, g, h);
        if (refusal == NcclLibrary.SUCCESS && status != NcclLibrary.IN_PROGRESS) {
            refusal = status;
        }
    }

    /// A bracket that was opened is closed, also after a refusal within it.
    private void close(String what) {
        int status = nccl.call(NcclFunction.GROUP_END, 0, 0, 0, 0, 0, 0, 0, 0);
        nccl.requireSuccess(what, refusal);
        nccl.requireBegun("ncclGroupEnd", status);
    }

    private long scratch(long bytes) {
        DeviceBuffer known = scratch;
        if (known == null || known.byteSize() < bytes) {
            close();
            known = device.allocate(bytes);
            scratch = known;
        }
        return known.segment().address();
    }

    @Override
    public void close() {
        if (scratch != null) {
            scratch.close();
            scratch = null;
        }
    }
}
