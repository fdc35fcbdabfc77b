// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.measure;

import dev.muster.core.UnknownReason;
import dev.muster.core.measure.MeasuredQuantity;
import dev.muster.core.measure.Measurement;
import dev.muster.core.measure.Thoroughness;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.Deadline;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Measures the processor that this program runs on. Immutable and safe to share between threads, though
/// two that measure at the same time measure each other.
public final class CpuMeter {
    /// More threads than this are not started.
    public static final int MAX_THREADS = 512;

    private static final long MIB = 1 << 20;
    /// Size if the last cache is unknown: larger than that of most processors.
    private static final long ASSUMED_CACHE = 64 * MIB;
    private static final int CACHES = 4;
    private static final long LEAST_PER_THREAD = 16 * MIB;
    private static final long LEAST_ALTOGETHER = 256 * MIB;
    private static final long MOST_ALTOGETHER = 8192 * MIB;
    /// Share of the free memory that may be taken.
    private static final int SHARE_OF_FREE = 4;

    /// The compiler needs some thousand rounds before a loop runs as fast as it ever will.
    private static final Duration WARM_UP = Duration.ofMillis(500);

    private static final Duration MOST_WARM_UP = Duration.ofSeconds(2);
    /// A round that is not faster than the best one by a twentieth shows that nothing is to come.
    private static final double STEADY = 1.05;
    /// Samples rather take a little longer than they should.
    private static final double MARGIN = 1.1;

    private final int threads;
    private final Thoroughness thoroughness;

    /// Makes it.
    ///
    /// @param threads number of processors this program may use; at most [#MAX_THREADS] are
    public CpuMeter(int threads, Thoroughness thoroughness) {
        if (threads <= 0) {
            throw new IllegalArgumentException("a processor has threads: " + threads);
        }
        this.threads = Math.min(threads, MAX_THREADS);
        this.thoroughness = thoroughness;
    }

    /// Copies within memory on all threads, with arrays that no cache holds.
    ///
    /// @param lastCache the largest cache, all of its instances together; zero where it is unknown
    /// @param free memory that can be taken; zero where it is unknown
    /// @throws MeasurementException if there is too little memory, or it takes longer than it may
    public Measurement copy(Bytes lastCache, Bytes free, Deadline deadline) {
        long chunk = chunk(lastCache, free);
        String method = "copies of " + chunk / MIB + " MiB on each of " + threads
                + " threads, bytes read and bytes written counted once each";
        return measure(MeasuredQuantity.MEMORY_COPY, () -> new Copy(chunk), 2.0 * chunk, method, deadline);
    }

    /// Reads memory on all threads from one end to the other, with arrays that no cache holds: as the weights of a
    /// model pass.
    ///
    /// @param lastCache the largest cache, all of its instances together; zero where it is unknown
    /// @param free memory that can be taken; zero where it is unknown
    /// @throws MeasurementException if there is too little memory, or it takes longer than it may
    public Measurement read(Bytes lastCache, Bytes free, Deadline deadline) {
        long chunk = 2 * chunk(lastCache, free);
        String method =
                "reads of " + chunk / MIB + " MiB on each of " + threads + " threads, from one end to the other";
        return measure(MeasuredQuantity.MEMORY_READ, () -> new Read(chunk), (double) chunk, method, deadline);
    }

    /// Lets all threads work as often as one sample takes, and samples.
    ///
    /// @param ofPass work of one thread in one pass
    private Measurement measure(
            MeasuredQuantity quantity,
            Supplier<ThreadTeam.Work> work,
            double ofPass,
            String method,
            Deadline deadline) {
        double[] seconds;
        long passes;
        try (ThreadTeam team = ThreadTeam.start(threads, work)) {
            passes = findPasses(team, deadline);
            seconds = sample(team, passes, deadline);
        }
        return Measurement.of(quantity, ofPass * threads * passes, seconds, method);
    }

    private long chunk(Bytes lastCache, Bytes free) {
        long cache = lastCache.isZero() ? ASSUMED_CACHE : Math.min(lastCache.unsigned(), MOST_ALTOGETHER);
        long wanted = Math.max(LEAST_ALTOGETHER, Math.max(CACHES * cache, LEAST_PER_THREAD * threads));
        long most = free.isZero() ? MOST_ALTOGETHER : Math.min(MOST_ALTOGETHER, free.unsigned() / SHARE_OF_FREE);
        long chunk = Math.min(wanted, most) / (2L * threads) / MIB * MIB;
        if (2 * chunk * threads <= cache) {
            throw new MeasurementException(
                    UnknownReason.NOT_SUPPORTED,
                    "a quarter of the free memory (" + free.unsigned() / MIB
                            + " MiB) is not larger than the last cache; free some memory");
        }
        return chunk;
    }

    /// Multiplies and adds floats on all threads, with numbers that stay in the nearest cache.
    ///
    /// @throws MeasurementException if it takes longer than it may
    public Measurement multiplyAdd(Deadline deadline) {
        String method = "a loop of Math.fma over floats in the nearest cache on each of " + threads
                + " threads: what the JVM's compiler reaches, less than a tuned library of linear algebra";
        return measure(MeasuredQuantity.MULTIPLY_ADD_FP32, MultiplyAdd::new, MultiplyAdd.OPERATIONS, method, deadline);
    }

    /// Runs until the compiler has done its work and the loop gets no faster, and finds how often the
    /// work fits into one sample.
    private static long findPasses(ThreadTeam team, Deadline deadline) {
        double target = seconds(Thoroughness.SAMPLE);
        long passes = 1;
        double spent = 0;
        double best = 0;
        while (true) {
            double took = team.time(passes, deadline);
            spent += took;
            double rate = passes / took;
            boolean steady = rate < best * STEADY || spent >= seconds(MOST_WARM_UP);
            if (took >= target && spent >= seconds(WARM_UP) && steady) {
                return passes;
            }
            best = Math.max(best, rate);
            // At most a doubling: the loop gets faster while it warms up.
            double factor = Math.min(2, MARGIN * target / took);
            passes = Math.max(passes + (took < target ? 1 : 0), (long) (passes * factor));
        }
    }

    private double[] sample(ThreadTeam team, long passes, Deadline deadline) {
        double[] seconds = new double[thoroughness.samples()];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = team.time(passes, deadline);
        }
        return seconds;
    }

    private static double seconds(Duration time) {
        return time.toNanos() / (double) TimeUnit.SECONDS.toNanos(1);
    }

    /// Work on memory outside of the heap, which it holds until it is closed.
    private abstract static class MemoryWork implements ThreadTeam.Work {
        private final Arena arena = Arena.ofConfined();

        MemorySegment allocate(long bytes, byte filling) {
            try {
                return arena.allocate(bytes, Long.BYTES).fill(filling);
            } catch (OutOfMemoryError e) {
                arena.close();
                throw e;
            }
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    /// Copies one piece of memory to another.
    private static final class Copy extends MemoryWork {
        private final MemorySegment source;
        private final MemorySegment target;

        Copy(long bytes) {
            source = allocate(bytes, (byte) 1);
            target = allocate(bytes, (byte) 0);
        }

        @Override
        public void run(long passes) {
            for (long i = 0; i < passes; i++) {
                target.copyFrom(source);
            }
        }
    }

    /// Adds up what memory holds, with sums that do not wait for each other.
    private static final class Read extends MemoryWork {
        private static final int STEP = 8;

        private final MemorySegment source;

        Read(long bytes) {
            source = allocate(bytes, (byte) 0);
        }

        @Override
        public void run(long passes) {
            for (long i = 0; i < passes; i++) {
                for (long at = 0; at < source.byteSize(); at += MIB) {
                    if (sum(source.asSlice(at, MIB)) != 0) {
                        throw new IllegalStateException("memory does not hold what was written to it");
                    }
                }
            }
        }

        private static long sum(MemorySegment piece) {
            long a = 0;
            long b = 0;
            long c = 0;
            long d = 0;
            for (int i = 0; i < MIB / Long.BYTES; i += STEP) {
                a += piece.getAtIndex(ValueLayout.JAVA_LONG, i) + piece.getAtIndex(ValueLayout.JAVA_LONG, i + 1);
                b += piece.getAtIndex(ValueLayout.JAVA_LONG, i + 2) + piece.getAtIndex(ValueLayout.JAVA_LONG, i + 3);
                c += piece.getAtIndex(ValueLayout.JAVA_LONG, i + 4) + piece.getAtIndex(ValueLayout.JAVA_LONG, i + 5);
                d += piece.getAtIndex(ValueLayout.JAVA_LONG, i + 6) + piece.getAtIndex(ValueLayout.JAVA_LONG, i + 7);
            }
            return a + b + c + d;
        }
    }

    /// Eight multiplications and additions for each load and store: the fewer wait for memory, and the
    /// compiler still makes vectors of them.
    private static final class MultiplyAdd implements ThreadTeam.Work {
        /// 16 KiB: half of the smallest first cache in use.
        private static final int LENGTH = 4096;

        private static final int STEPS = 8;
        private static final int ROUNDS = 256;
        private static final long OPERATIONS = 2L * STEPS * LENGTH * ROUNDS;
        private static final float FACTOR = 0.999f;
        private static final float SUMMAND = 0.001f;

        private final float[] numbers = new float[LENGTH];

        @Override
        public void run(long passes) {
            for (long i = 0; i < passes * ROUNDS; i++) {
                advance(numbers);
            }
            if (!Float.isFinite(numbers[0])) {
                throw new IllegalStateException("numbers between 0 and 1 left their range");
            }
        }

        private static void advance(float[] numbers) {
            for (int i = 0; i < numbers.length; i++) {
                float x = Math.fma(numbers[i], FACTOR, SUMMAND);
                x = Math.fma(x, FACTOR, SUMMAND);
                x = Math.fma(x, FACTOR, SUMMAND);
                x = Math.fma(x, FACTOR, SUMMAND);
                x = Math.fma(x, FACTOR, SUMMAND);
                x = Math.fma(x, FACTOR, SUMMAND);
                x = Math.fma(x, FACTOR, SUMMAND);
                numbers[i] = Math.fma(x, FACTOR, SUMMAND);
            }
        }

        @Override
        public void close() {
            // An array needs no closing.
        }
    }
}
