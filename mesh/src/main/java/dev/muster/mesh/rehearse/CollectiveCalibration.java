// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.rehearse;

import dev.muster.core.measure.MeshCalibration;
import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.core.measure.MeshCalibration.Curve;
import dev.muster.core.measure.MeshCalibration.CurvePoint;
import dev.muster.core.measure.Thoroughness;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.session.MeshSession;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// Measures collectives by size in groups of every size that divides the ranks, as a step of a plan calls
/// them: all groups at the same time, each call behind a barrier. All ranks of a session measure together,
/// each on one thread. Confined to that thread.
public final class CollectiveCalibration {
    private static final long SMALLEST = 1 << 10;
    private static final long LARGEST_QUICK = 16 << 20;
    private static final long LARGEST = 64 << 20;
    private static final int FACTOR = 4;
    private static final long WARM_UP_NANOS = 400_000_000L;
    private static final long QUICK_NANOS = 40_000_000L;
    private static final long NANOS = 80_000_000L;
    private static final int ROUNDS_QUICK = 1;
    private static final int ROUNDS = 3;
    private static final int LEAST_CALLS = 4;
    /// Ranks compute between the calls of a step: threads have slept and memory has cooled when a call comes. Calls
    /// without a pause take a fifth less time than those of a step.
    private static final long PAUSE_NANOS = 100_000;

    private final MeshSession session;
    private final String backend;
    private final Thoroughness thoroughness;
    private final WorldExchange world;

    /// @param backend backend that was requested: where it is for devices, buffers lie on the rank's device
    public CollectiveCalibration(MeshSession session, String backend, Thoroughness thoroughness) {
        this.session = session;
        this.backend = backend;
        this.thoroughness = thoroughness;
        this.world = new WorldExchange(session.world());
    }

    /// Measures, and tells what comes next; all ranks get the same figures.
    public MeshCalibration measure(InstantSource clock, Consumer<String> progress) {
        List<Curve> curves = new ArrayList<>();
        for (int members = 2; members <= session.worldSize(); members++) {
            if (session.worldSize() % members == 0) {
                int first = session.rank() / members * members;
                ProcessGroup group = session.open(
                        "calibrate-" + members + "-" + first,
                        IntStream.range(first, first + members).toArray());
                for (Collective collective : Collective.values()) {
                    progress.accept(collective.text() + " of " + members + " ranks");
                    curves.add(curve(group, collective));
                }
            }
        }
        return new MeshCalibration(
                session.world().engine(),
                session.worldSize(),
                world.countHosts(session),
                clock.instant(),
                thoroughness,
                curves);
    }

    /// Sizes take turns, so that noise of other programs spoils a part of the calls of each and not all of one.
    private Curve curve(ProcessGroup group, Collective collective) {
        boolean isQuick = thoroughness == Thoroughness.QUICK;
        List<Sized> sizes = new ArrayList<>();
        try (BufferSource buffers = BufferSource.open(session, backend)) {
            for (long bytes = SMALLEST; bytes <= (isQuick ? LARGEST_QUICK : LARGEST); bytes *= FACTOR) {
                sizes.add(new Sized(new TimedCall(group, collective, bytes, buffers), new CallTimes()));
            }
            warmUp(sizes);
            for (int round = 0; round < (isQuick ? ROUNDS_QUICK : ROUNDS); round++) {
                for (Sized size : sizes) {
                    time(size, isQuick ? QUICK_NANOS : NANOS);
                }
            }
        }
        List<CurvePoint> points = new ArrayList<>();
        for (Sized size : sizes) {
            points.add(new CurvePoint(size.call.bytes(), mean(size.times.medianSeconds())));
        }
        return new Curve(collective, group.size(), points);
    }

    /// A call of one size, and how long it took.
    private record Sized(TimedCall call, CallTimes times) {}

    private void warmUp(List<Sized> sizes) {
        long start = System.nanoTime();
        CallTimes ignored = new CallTimes();
        do {
            ignored.clear();
            sizes.forEach(size -> size.call.run(ignored));
        } while (world.firstSays(System.nanoTime() - start < WARM_UP_NANOS ? 1 : 0) == 1);
    }

    /// All groups make as many calls, and begin together.
    private void time(Sized size, long nanos) {
        long start = System.nanoTime();
        int calls = 1;
        do {
            for (int i = 0; i < calls; i++) {
                LockSupport.parkNanos(PAUSE_NANOS);
                size.call.run(size.times);
            }
            calls = Math.max(LEAST_CALLS, 2 * calls);
        } while (world.firstSays(System.nanoTime() - start < nanos ? 1 : 0) == 1);
    }

    /// The mean over all ranks of what each says.
    private double mean(double own) {
        double sum = 0;
        double[][] all = world.allSay(own);
        for (double[] rank : all) {
            sum += rank[0];
        }
        return Math.max(Double.MIN_NORMAL, sum / all.length);
    }
}
