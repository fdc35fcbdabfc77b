// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.mpi;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.engine.Reducer;
import dev.muster.mesh.mpi.MpiAbi.MpiConstants;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/// Operations that are one call of MPI's own collectives, which block until they are done. Programs in
/// other languages that call the same take part in them. Confined to the thread whose call it is.
final class NativeCollectives {
    /// MPI counts in 32 bits; what is longer goes in parts.
    private static final long PART = 1 << 30;

    private static final Map<Operation, String> NAMES = Map.of(
            Operation.BARRIER, "MPI_Barrier",
            Operation.ALL_REDUCE, "MPI_Allreduce",
            Operation.REDUCE, "MPI_Reduce",
            Operation.BROADCAST, "MPI_Bcast",
            Operation.ALL_GATHER, "MPI_Allgather",
            Operation.GATHER, "MPI_Gather",
            Operation.SCATTER, "MPI_Scatter",
            Operation.REDUCE_SCATTER, "MPI_Reduce_scatter_block",
            Operation.ALL_TO_ALL, "MPI_Alltoall");

    private final GroupIdentity group;
    private final MpiConstants constants;
    private final long communicator;
    private final boolean inRankOrder;
    private final Reducer reducer = new Reducer();
    private final Map<Operation, MpiFunction> functions = new EnumMap<>(Operation.class);

    NativeCollectives(GroupIdentity group, MpiLibrary library, long communicator, boolean inRankOrder) {
        this.group = group;
        this.constants = library.constants();
        this.communicator = communicator;
        this.inRankOrder = inRankOrder;
        NAMES.forEach((operation, name) -> functions.put(operation, library.function(name)));
    }

    /// Reports whether MPI does exactly that. It has no uneven pieces that fit ours, no halves, no order of
    /// ranks, and for the least and the greatest of floats its own mind about what is not a number. Seen
    /// in tests: sums of 8 and 16 bits do not wrap around in Open MPI 4.1.4 where the processor can
    /// saturate them, and MPICH 4.0.2 compares unsigned numbers of 64 bits as if they had a sign.
    boolean can(GroupCall call) {
        if (group.size() == 1) {
            return false;
        }
        return switch (call.operation()) {
            case BARRIER, BROADCAST -> true;
            case ALL_REDUCE, REDUCE -> canReduce(call.type(), call.reduceOp());
            case REDUCE_SCATTER -> isShort(call) && canReduce(call.type(), call.reduceOp());
            case ALL_GATHER, GATHER, SCATTER, ALL_TO_ALL -> isShort(call);
            case EXCHANGE -> false;
        };
    }

    private boolean isShort(GroupCall call) {
        return !call.isUneven() && call.count() * call.type().bytes() < PART;
    }

    private boolean canReduce(DType type, ReduceOp op) {
        boolean floats = type.equals(DType.FLOAT32) || type.equals(DType.FLOAT64);
        return constants.types().containsKey(type)
                && type.bytes() >= Integer.BYTES
                && switch (op) {
                    case SUM, PRODUCT -> !(floats && inRankOrder);
                    case MIN, MAX -> type.equals(DType.INT32) || type.equals(DType.INT64);
                    case AVERAGE -> floats && !inRankOrder;
                };
    }

    void execute(GroupCall call) {
        long count = call.count();
        long type = type(call);
        long units = count * call.type().bytes() / unit(call);
        long input = address(call.input());
        long output = address(call.output());
        long given = call.input().equals(call.output()) ? constants.numbers().inPlace() : input;
        MpiFunction function = Objects.requireNonNull(functions.get(call.operation()));
        switch (call.operation()) {
            case BARRIER -> function.call(communicator);
            case BROADCAST -> broadcast(function, call, units, type, output);
            case ALL_REDUCE -> allReduce(function, call, type, given, output);
            case REDUCE -> reduce(function, call, type, input, output);
            case REDUCE_SCATTER -> function.call(given, output, count, type, operator(call.reduceOp()), communicator);
            case ALL_GATHER, ALL_TO_ALL -> function.call(given, units, type, output, units, type, communicator);
            case GATHER, SCATTER -> function.call(input, units, type, output, units, type, call.root(), communicator);
            case EXCHANGE -> throw new IllegalStateException(call.text() + " is not a collective of MPI");
        }
        boolean isRoot = !call.operation().hasRoot() || group.rank() == call.root();
        if (call.operation().isReduction() && call.reduceOp().equals(ReduceOp.AVERAGE) && isRoot) {
            reducer.divide(call.type(), call.output(), 0, count, group.size());
        }
    }

    private static long address(MemorySegment segment) {
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException("a buffer was freed before the call");
        }
        return segment.address();
    }

    /// Elements that are only moved may be of types that MPI does not know: then they are bytes.
    private long type(GroupCall call) {
        Long known = constants.types().get(call.type());
        return known == null ? constants.bytes() : known;
    }

    private int unit(GroupCall call) {
        return constants.types().containsKey(call.type()) ? call.type().bytes() : 1;
    }

    private long operator(ReduceOp op) {
        Long handle = constants.operators().get(op);
        return handle == null ? 0 : handle;
    }

    private void broadcast(MpiFunction function, GroupCall call, long units, long type, long buffer) {
        for (long from = 0; from == 0 || from < units; from += PART) {
            long part = Math.min(PART, units - from);
            function.call(buffer + from * unit(call), part, type, call.root(), communicator);
        }
    }

    private void allReduce(MpiFunction function, GroupCall call, long type, long given, long output) {
        int bytes = call.type().bytes();
        for (long from = 0; from == 0 || from < call.count(); from += PART) {
            long part = Math.min(PART, call.count() - from);
            long source = given == constants.numbers().inPlace() ? given : given + from * bytes;
            function.call(source, output + from * bytes, part, type, operator(call.reduceOp()), communicator);
        }
    }

    private void reduce(MpiFunction function, GroupCall call, long type, long input, long output) {
        int bytes = call.type().bytes();
        boolean inPlace = group.rank() == call.root() && call.input().equals(call.output());
        for (long from = 0; from == 0 || from < call.count(); from += PART) {
            long part = Math.min(PART, call.count() - from);
            long source = inPlace ? constants.numbers().inPlace() : input + from * bytes;
            function.call(
                    source, output + from * bytes, part, type, operator(call.reduceOp()), call.root(), communicator);
        }
    }
}
