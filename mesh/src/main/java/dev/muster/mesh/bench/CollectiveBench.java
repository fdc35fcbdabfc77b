// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.bench;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.collective.ProcessGroup;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// Measures operations of a group as the OSU micro-benchmarks do: before each call a barrier, which is not timed; each
/// rank times its own calls. All ranks run the same plan, each on one thread. Confined to that thread.
public final class CollectiveBench implements AutoCloseable {
    /// Few calls of a small size tell nothing where other programs want the processors too.
    private static final int LEAST_CALLS_SMALL = 50;

    private static final int LEAST_CALLS = 5;
    private static final long SMALL = 256 * 1024;
    /// Of the budget: a batch that takes so long tells how many calls fill the whole.
    private static final int TRIAL_SHARE = 8;
    /// The size of the calls that warm up: larger sizes run the same code.
    private static final long WARM_UP_BYTES = 2 << 20;

    private static final long WARM_UP_BATCH_BYTES = 64 * 1024;
    private static final int WARM_UP_BATCH_CALLS = 200;

    private final ProcessGroup group;
    private final BenchPlan plan;
    private final LongSupplier allocated;
    private final long[] nanos = new long[BenchPlan.MOST_CALLS];
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment answer = arena.allocate(ValueLayout.JAVA_LONG);

    /// @param allocated bytes of objects that the calling thread has allocated so far
    public CollectiveBench(ProcessGroup group, BenchPlan plan, LongSupplier allocated) {
        this.group = group;
        this.plan = plan;
        this.allocated = allocated;
    }

    /// Measures everything in the plan and tells the figures of each size as soon as they are there, on every rank.
    public void run(Consumer<BenchFigures> figures) {
        for (Operation operation : plan.operations()) {
            warmUp(operation);
            if (operation.equals(Operation.BARRIER)) {
                figures.accept(measure(operation, 1));
            } else {
                plan.sizes().forEach(size -> figures.accept(measure(operation, size)));
            }
        }
    }

    private void warmUp(Operation operation) {
        long start = System.nanoTime();
        boolean again = !plan.warmUp().isZero();
        while (again) {
            for (long size : plan.sizes()) {
                if (size <= WARM_UP_BYTES) {
                    warmUp(operation, size);
                }
            }
            if (plan.sizes().getFirst() > WARM_UP_BYTES) {
                warmUp(operation, WARM_UP_BYTES);
            }
            again = firstSays(isOver(start, plan.warmUp()) ? 0 : 1) == 1;
        }
    }

    private void warmUp(Operation operation, long size) {
        try (Arena buffers = Arena.ofConfined()) {
            Workload workload = new Workload(group, operation, plan.type(), size, buffers);
            time(workload, Math.clamp(WARM_UP_BATCH_BYTES / size, 1, WARM_UP_BATCH_CALLS));
        }
    }

    private static boolean isOver(long start, Duration time) {
        return System.nanoTime() - start >= time.toNanos();
    }

    private BenchFigures measure(Operation operation, long size) {
        try (Arena buffers = Arena.ofConfined()) {
            Workload workload = new Workload(group, operation, plan.type(), size, buffers);
            workload.prepare();
            int calls = findCalls(workload);
            workload.prepare();
            long before = allocated.getAsLong();
            time(workload, calls);
            long after = allocated.getAsLong();
            return RankFigures.of(nanos, calls, workload.countWrong(), after - before)
                    .gather(group, operation, workload.bytes(), calls);
        }
    }

    /// As many calls as are asked for, to warm up; else in batches of doubling size until one takes a good part of the
    /// budget, which tells how many calls fill it.
    private int findCalls(Workload workload) {
        if (plan.calls() > 0) {
            time(workload, plan.calls());
            return plan.calls();
        }
        int batch = 1;
        long answered = 0;
        while (answered == 0) {
            long start = System.nanoTime();
            time(workload, batch);
            long elapsed = Math.max(1, System.nanoTime() - start);
            boolean isEnough = elapsed >= plan.budget().toNanos() / TRIAL_SHARE || batch == BenchPlan.MOST_CALLS;
            answered = firstSays(isEnough ? callsFor(workload.bytes(), batch, elapsed) : 0);
            batch = Math.min(2 * batch, BenchPlan.MOST_CALLS);
        }
        return (int) answered;
    }

    private long callsFor(long bytes, int done, long elapsed) {
        long filling = (long) ((double) plan.budget().toNanos() * done / elapsed);
        return Math.clamp(filling, bytes <= SMALL ? LEAST_CALLS_SMALL : LEAST_CALLS, BenchPlan.MOST_CALLS);
    }

    private void time(Workload workload, int calls) {
        for (int i = 0; i < calls; i++) {
            group.barrier();
            long start = System.nanoTime();
            workload.call();
            nanos[i] = System.nanoTime() - start;
        }
    }

    /// Returns the number of the first rank, on all ranks.
    private long firstSays(long own) {
        answer.set(ValueLayout.JAVA_LONG, 0, own);
        group.broadcast(answer, DType.INT64, 0);
        return answer.get(ValueLayout.JAVA_LONG, 0);
    }

    /// Frees what the bench itself holds; the group stays open.
    @Override
    public void close() {
        arena.close();
    }
}
