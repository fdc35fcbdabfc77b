// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.bench;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// One operation of one size with its buffers. Confined to a thread; the arena frees the buffers.
final class Workload {
    private static final int ROOT = 0;
    private static final int PAGE = 4_096;
    private static final byte POISON = 0x5A;

    private final ProcessGroup group;
    private final Operation operation;
    private final DType type;
    /// Elements of a piece where there is one for each rank, of the whole buffer elsewhere.
    private final long count;
    private final MemorySegment input;
    private final MemorySegment output;
    private final long[] sums = new long[Elements.PERIOD];

    Workload(ProcessGroup group, Operation operation, DType type, long bytes, Arena arena) {
        this.group = group;
        this.operation = operation;
        this.type = type;
        int ranks = group.size();
        boolean isRoot = group.rank() == ROOT;
        long whole = Math.max(1, bytes / type.bytes());
        long piece = Math.max(1, whole / ranks);
        this.count = isInPieces(operation) ? piece : whole;
        this.input = switch (operation) {
            case ALL_REDUCE, REDUCE, BROADCAST, EXCHANGE, ALL_GATHER, GATHER -> allocate(arena, count);
            case REDUCE_SCATTER, ALL_TO_ALL -> allocate(arena, count * ranks);
            case SCATTER -> isRoot ? allocate(arena, count * ranks) : MemorySegment.NULL;
            case BARRIER -> MemorySegment.NULL;
        };
        this.output = switch (operation) {
            case ALL_REDUCE, EXCHANGE, REDUCE_SCATTER, SCATTER -> allocate(arena, count);
            case ALL_GATHER, ALL_TO_ALL -> allocate(arena, count * ranks);
            case REDUCE -> isRoot ? allocate(arena, count) : MemorySegment.NULL;
            case GATHER -> isRoot ? allocate(arena, count * ranks) : MemorySegment.NULL;
            case BROADCAST -> input;
            case BARRIER -> MemorySegment.NULL;
        };
        for (int i = 0; i < sums.length; i++) {
            int sum = 0;
            for (int rank = 0; rank < ranks; rank++) {
                sum += Elements.number(rank, i);
            }
            sums[i] = Elements.bits(type, sum);
        }
    }

    private static boolean isInPieces(Operation operation) {
        return switch (operation) {
            case ALL_GATHER, REDUCE_SCATTER, GATHER, SCATTER, ALL_TO_ALL -> true;
            case BARRIER, ALL_REDUCE, REDUCE, BROADCAST, EXCHANGE -> false;
        };
    }

    private MemorySegment allocate(Arena arena, long elements) {
        return arena.allocate(Math.multiplyExact(elements, type.bytes()), PAGE);
    }

    /// Returns the number of bytes that the size of the call counts as: whole elements, and one at least for each rank.
    long bytes() {
        if (operation.equals(Operation.BARRIER)) {
            return 0;
        }
        return count * type.bytes() * (isInPieces(operation) ? group.size() : 1);
    }

    /// Fills the input, and the output with what no right result holds.
    void prepare() {
        output.fill(POISON);
        if (operation.equals(Operation.BROADCAST) && group.rank() != ROOT) {
            return;
        }
        long elements = input.byteSize() / type.bytes();
        for (long i = 0; i < elements; i++) {
            Elements.write(input, type, i, own(group.rank(), i));
        }
    }

    private long own(int rank, long index) {
        return Elements.bits(type, Elements.number(rank, index));
    }

    void call() {
        int ranks = group.size();
        switch (operation) {
            case BARRIER -> group.barrier();
            case ALL_REDUCE -> group.allReduce(input, output, type, ReduceOp.SUM);
            case REDUCE -> group.reduce(input, output, type, ReduceOp.SUM, ROOT);
            case BROADCAST -> group.broadcast(input, type, ROOT);
            case ALL_GATHER -> group.allGather(input, output, type);
            case REDUCE_SCATTER -> group.reduceScatter(input, output, type, ReduceOp.SUM);
            case GATHER -> group.gather(input, output, type, ROOT);
            case SCATTER -> group.scatter(input, output, type, ROOT);
            case ALL_TO_ALL -> group.allToAll(input, output, type);
            case EXCHANGE ->
                group.sendReceive(input, (group.rank() + 1) % ranks, output, (group.rank() + ranks - 1) % ranks);
        }
    }

    /// Returns the number of elements of the output that differ from the result of the last call.
    long countWrong() {
        long wrong = 0;
        long elements = output.byteSize() / type.bytes();
        for (long i = 0; i < elements; i++) {
            if (Elements.read(output, type, i) != expected(i)) {
                wrong++;
            }
        }
        return wrong;
    }

    private long expected(long index) {
        int rank = group.rank();
        return switch (operation) {
            case BARRIER -> 0;
            case ALL_REDUCE, REDUCE -> sums[(int) (index % Elements.PERIOD)];
            case REDUCE_SCATTER -> sums[(int) ((rank * count + index) % Elements.PERIOD)];
            case BROADCAST -> own(ROOT, index);
            case SCATTER -> own(ROOT, rank * count + index);
            case ALL_GATHER, GATHER -> own((int) (index / count), index % count);
            case ALL_TO_ALL -> own((int) (index / count), rank * count + index % count);
            case EXCHANGE -> own((rank + group.size() - 1) % group.size(), index);
        };
    }

    /// Small whole numbers as elements of any type.
    private static final class Elements {
        /// After how many elements the numbers repeat.
        static final int PERIOD = 5;

        private static final int BFLOAT16_SHIFT = 16;
        private static final long BYTE = 0xFF;
        private static final long SHORT = 0xFFFF;
        private static final long INT = 0xFFFF_FFFFL;

        private Elements() {}

        /// The number that a rank has at an index. Small, so that sums are exact in any order and any type.
        static int number(int rank, long index) {
            return (int) ((index * 7 + rank * 3L) % PERIOD);
        }

        /// The bits of a number; integers wrap around, truth values are "not zero".
        static long bits(DType type, int number) {
            return switch (type) {
                case BOOL -> number == 0 ? 0 : 1;
                case UINT8, INT8, FLOAT8_E4M3, FLOAT8_E5M2 -> number & BYTE;
                case UINT16, INT16 -> number & SHORT;
                case UINT32, INT32 -> number & INT;
                case UINT64, INT64 -> number;
                case FLOAT16 -> Float.floatToFloat16(number) & SHORT;
                case BFLOAT16 -> Float.floatToRawIntBits(number) >>> BFLOAT16_SHIFT;
                case FLOAT32 -> Float.floatToRawIntBits(number) & INT;
                case FLOAT64 -> Double.doubleToRawLongBits(number);
            };
        }

        static void write(MemorySegment segment, DType type, long index, long bits) {
            switch (type.bytes()) {
                case 1 -> segment.set(ValueLayout.JAVA_BYTE, index, (byte) bits);
                case 2 -> segment.setAtIndex(ValueLayout.JAVA_SHORT, index, (short) bits);
                case 4 -> segment.setAtIndex(ValueLayout.JAVA_INT, index, (int) bits);
                default -> segment.setAtIndex(ValueLayout.JAVA_LONG, index, bits);
            }
        }

        static long read(MemorySegment segment, DType type, long index) {
            return switch (type.bytes()) {
                case 1 -> segment.get(ValueLayout.JAVA_BYTE, index) & BYTE;
                case 2 -> segment.getAtIndex(ValueLayout.JAVA_SHORT, index) & SHORT;
                case 4 -> segment.getAtIndex(ValueLayout.JAVA_INT, index) & INT;
                default -> segment.getAtIndex(ValueLayout.JAVA_LONG, index);
            };
        }
    }
}
