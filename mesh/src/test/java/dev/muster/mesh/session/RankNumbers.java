// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ProcessGroup;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntToDoubleFunction;

/// Numbers of which every result is known: each rank brings its own number, plus one, and the root is 0.
final class RankNumbers implements AutoCloseable {
    private static final int ROOT = 0;

    private final ProcessGroup group;
    private final String operation;
    private final int count;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment one;
    private final MemorySegment all;

    RankNumbers(ProcessGroup group, String operation, int count) {
        this.group = group;
        this.operation = operation;
        this.count = count;
        this.one = arena.allocate(ValueLayout.JAVA_FLOAT, count);
        this.all = arena.allocate(ValueLayout.JAVA_FLOAT, (long) count * group.size());
    }

    /// Makes the call once.
    ///
    /// @return the error in its result; empty if there is none
    String callAndCheck() {
        float own = group.rank() + 1F;
        fill(one, own);
        fill(all, own);
        RankMain.operate(group, operation, one, all, DType.FLOAT32, ROOT);
        int ranks = group.size();
        double sum = ranks * (ranks + 1) / 2.0;
        boolean isRoot = group.rank() == ROOT;
        return switch (operation) {
            case "all-reduce", "reduce-scatter" -> check(one, _ -> sum);
            case "reduce" -> isRoot ? check(one, _ -> sum) : "";
            case "broadcast", "scatter" -> check(one, _ -> ROOT + 1);
            case "all-gather", "all-to-all" -> check(all, i -> i / count + 1);
            case "gather" -> isRoot ? check(all, i -> i / count + 1) : "";
            case "send-receive" -> check(all.asSlice(0, one.byteSize()), _ -> (group.rank() + ranks - 1) % ranks + 1);
            default -> "";
        };
    }

    private static void fill(MemorySegment segment, float value) {
        long elements = segment.byteSize() / Float.BYTES;
        for (long i = 0; i < elements; i++) {
            segment.setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
        }
    }

    private String check(MemorySegment result, IntToDoubleFunction expected) {
        int elements = Math.toIntExact(result.byteSize() / Float.BYTES);
        for (int i = 0; i < elements; i++) {
            float found = result.getAtIndex(ValueLayout.JAVA_FLOAT, i);
            if (found != expected.applyAsDouble(i)) {
                return "WRONG result of " + operation + " at " + i + ": " + found + " instead of "
                        + expected.applyAsDouble(i);
            }
        }
        return "";
    }

    @Override
    public void close() {
        arena.close();
    }
}
