// SPDX-License-Identifier: Apache-2.0
package dev.muster.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Limits of waits in tests, in one place. Tests name the limit for a quiet machine; a busy one gets a multiple of it.
public final class Waiting {
    private static final long QUIET_SECONDS = 60;
    private static final long LOOK_AGAIN_MILLIS = 10;
    private static final int LARGEST_FACTOR = 12;
    /// For systems that report no load.
    private static final int USUAL_FACTOR = 4;

    private Waiting() {}

    /// A condition that a test waits for.
    @FunctionalInterface
    public interface Condition {
        /// Reports whether it is met.
        boolean isMet() throws Exception;
    }

    /// Multiplies a limit by 2 and by one more for every process that waits for each processor.
    ///
    /// @param quiet the limit on a quiet machine
    public static Duration limit(Duration quiet) {
        return quiet.multipliedBy(factor());
    }

    /// Multiplies a limit as [#limit(Duration)] does.
    ///
    /// @param quiet the limit on a quiet machine, in seconds
    public static long seconds(long quiet) {
        return quiet * factor();
    }

    private static int factor() {
        try {
            String load = Files.readString(Path.of("/proc/loadavg"));
            double waiting = Double.parseDouble(load.substring(0, load.indexOf(' ')));
            return (int) Math.min(
                    LARGEST_FACTOR,
                    2 + Math.round(waiting / Runtime.getRuntime().availableProcessors()));
        } catch (IOException | RuntimeException _) {
            return USUAL_FACTOR;
        }
    }

    /// Waits until a condition is met; fails after a minute on a quiet machine.
    public static void until(Condition condition) throws InterruptedException {
        long start = System.nanoTime();
        long limit = TimeUnit.SECONDS.toNanos(seconds(QUIET_SECONDS));
        while (!isMet(condition)) {
            if (System.nanoTime() - start > limit) {
                throw new AssertionError("the condition was not met in time");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
        }
    }

    private static boolean isMet(Condition condition) throws InterruptedException {
        try {
            return condition.isMet();
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /// Calls something that may block; fails after a minute on a quiet machine.
    public static <T> T bounded(Callable<T> call) throws InterruptedException {
        FutureTask<T> task = new FutureTask<>(call);
        // What blocks in the kernel would keep the carrier of a virtual thread from all others.
        Thread.ofPlatform().daemon().start(task);
        return result(task);
    }

    /// Returns the result of a future; fails after a minute on a quiet machine.
    public static <T> T result(Future<T> future) throws InterruptedException {
        try {
            return future.get(seconds(QUIET_SECONDS), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("a call did not end in time", e);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    /// Reads the output of a process until it ends; kills the process and fails if that takes too long.
    public static String output(Process process) throws InterruptedException {
        try {
            return bounded(() -> new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        } catch (AssertionError e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /// Returns the exit code of a process; kills the process and fails if it does not end in time.
    public static int exit(Process process) throws InterruptedException {
        if (!process.waitFor(seconds(QUIET_SECONDS), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("a process did not end in time");
        }
        return process.exitValue();
    }
}
