// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.rehearse;

import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.Work;
import dev.muster.mesh.rehearse.Rehearsal.Call;
import dev.muster.mesh.rehearse.RehearsalFigures.CallFigures;
import dev.muster.mesh.session.MeshSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// One rank of a rehearsal. All ranks of the session rehearse the same, each on one thread. Confined to that
/// thread; the caller that opened it closes it, which frees its buffers and leaves the session open.
public final class Rehearser implements AutoCloseable {
    /// Of several steps, noise of other programs spoils some.
    private static final int LEAST_ROUNDS = 5;

    private static final int MOST_ROUNDS = 500;
    /// The time in which calls are made before they count, for the compiler's sake.
    private static final long WARM_UP_NANOS = 1_000_000_000L;

    private static final int MOST_WARM_UPS = 200;
    /// Shorter waits are put together: the operating system wakes no thread so soon.
    private static final long LEAST_WAIT_NANOS = 100_000;

    private static final double NANO = 1e-9;
    /// The longest overlapped step: a step that takes longer hangs.
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final MeshSession session;
    private final Rehearsal rehearsal;
    private final WorldExchange world;
    private final BufferSource buffers;
    private final List<Part> parts = new ArrayList<>();
    private double owedNanos;

    /// A kind of call of this rank.
    private static final class Part {
        private final Call call;
        private final ProcessGroup group;
        private final TimedCall timed;
        private final CallTimes times = new CallTimes();
        private @Nullable Work last;

        Part(Call call, ProcessGroup group, TimedCall timed) {
            this.call = call;
            this.group = group;
            this.timed = timed;
        }

        void begin() {
            if (call.isOverlapped()) {
                last = group.start(_ -> timed.run(times));
            } else {
                timed.run(times);
            }
        }

        void end() {
            if (last != null) {
                last.await(LIMIT);
            }
        }
    }

    private Rehearser(MeshSession session, Rehearsal rehearsal, BufferSource buffers) {
        this.session = session;
        this.rehearsal = rehearsal;
        this.buffers = buffers;
        this.world = new WorldExchange(session.world());
    }

    /// Opens the groups of a rehearsal and takes the buffers of its calls.
    ///
    /// @param backend backend that was requested: where it is for devices, buffers lie on the rank's device
    /// @throws IllegalArgumentException if the session has another number of ranks than the rehearsal
    public static Rehearser open(MeshSession session, String backend, Rehearsal rehearsal) {
        if (session.worldSize() != rehearsal.mesh().worldSize()) {
            throw new IllegalArgumentException("the rehearsal has "
                    + rehearsal.mesh().worldSize() + " ranks, the mesh has " + session.worldSize());
        }
        Rehearser rehearser = new Rehearser(session, rehearsal, BufferSource.open(session, backend));
        try {
            rehearser.openParts();
        } catch (RuntimeException e) {
            rehearser.close();
            throw e;
        }
        return rehearser;
    }

    private void openParts() {
        Map<RankGroup, ProcessGroup> groups = new HashMap<>();
        for (Call call : rehearsal.calls()) {
            int[] ranks = call.group().ranksOf(rehearsal.mesh(), session.rank());
            ProcessGroup group = groups.get(call.group());
            if (group == null) {
                String axes = String.join("-", call.group().axes());
                group = session.open("rehearse-" + axes + "-" + ranks.length + "-" + ranks[0], ranks);
                groups.put(call.group(), group);
            }
            parts.add(new Part(call, group, new TimedCall(group, call.collective(), call.bytes(), buffers)));
        }
    }

    /// Makes as many steps as there is time for, or parts of a few where a whole one takes too long; all ranks
    /// get the same figures.
    ///
    /// @param time about how long they take together
    public RehearsalFigures run(Duration time) {
        double steps = world.firstSays(NANO * time.toNanos() / warmUp());
        int rounds = (int) Math.clamp(steps, LEAST_ROUNDS, MOST_ROUNDS);
        double share = Math.min(1, steps / rounds);
        parts.forEach(part -> part.times.clear());
        for (int round = 0; round < rounds; round++) {
            session.world().barrier();
            step(share);
        }
        return figures(rounds, share);
    }

    /// Makes every call until compilers have seen enough, and says how long a step would take.
    private double warmUp() {
        long start = System.nanoTime();
        double again = 1;
        for (int i = 0; i < MOST_WARM_UPS && again == 1; i++) {
            for (Part part : parts) {
                part.times.clear();
                part.timed.run(part.times);
            }
            again = world.firstSays(System.nanoTime() - start < WARM_UP_NANOS ? 1 : 0);
        }
        double seconds = rehearsal.computeSeconds();
        for (Part part : parts) {
            double each = part.times.medianSeconds() + part.times.medianWaitSeconds();
            seconds += part.call.count() * each;
        }
        return Math.max(NANO, seconds);
    }

    /// Every rank makes its calls in the same order, which their places in the step say; of two at the same
    /// place, the one that the rehearsal names first.
    private void step(double share) {
        long[] counts = parts.stream()
                .mapToLong(part -> Math.max(1, Math.round(part.call.count() * share)))
                .toArray();
        long[] made = new long[counts.length];
        double reached = 0;
        for (int next = next(made, counts); next >= 0; next = next(made, counts)) {
            double place = place(made[next], counts[next]);
            compute((place - reached) * share);
            reached = place;
            made[next]++;
            parts.get(next).begin();
        }
        compute((1 - reached) * share);
        parts.forEach(Part::end);
    }

    private static double place(long index, long count) {
        return (index + 0.5) / count;
    }

    /// The kind that comes next; -1 where all calls were made.
    private static int next(long[] made, long[] counts) {
        int next = -1;
        for (int i = 0; i < counts.length; i++) {
            if (made[i] < counts[i] && (next < 0 || place(made[i], counts[i]) < place(made[next], counts[next]))) {
                next = i;
            }
        }
        return next;
    }

    /// Waits as long as a part of the step computes. What is waited too long is waited less the next time.
    private void compute(double part) {
        owedNanos += part * rehearsal.computeSeconds() / NANO;
        if (owedNanos < LEAST_WAIT_NANOS) {
            return;
        }
        long start = System.nanoTime();
        long end = start + (long) owedNanos;
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(this, end - System.nanoTime());
        }
        owedNanos -= System.nanoTime() - start;
    }

    private RehearsalFigures figures(int rounds, double share) {
        List<CallFigures> figures = new ArrayList<>();
        for (Part part : parts) {
            CallTimes times = part.times;
            double[][] all = world.allSay(times.medianSeconds(), times.p99Seconds(), times.medianWaitSeconds());
            int slowest = 0;
            double median = 0;
            double p99 = 0;
            double wait = 0;
            for (int rank = 0; rank < all.length; rank++) {
                slowest = all[rank][0] > all[slowest][0] ? rank : slowest;
                median += all[rank][0] / all.length;
                p99 = Math.max(p99, all[rank][1]);
                wait += all[rank][2] / all.length;
            }
            List<Integer> group = IntStream.of(part.call.group().ranksOf(rehearsal.mesh(), slowest))
                    .boxed()
                    .toList();
            figures.add(new CallFigures(times.count(), median, p99, wait, slowest, group));
        }
        return new RehearsalFigures(session.world().engine(), world.countHosts(session), rounds, share, figures);
    }

    /// Frees the buffers.
    @Override
    public void close() {
        buffers.close();
    }
}
