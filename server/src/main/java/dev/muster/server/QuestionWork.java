// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/// The threads that answer questions. Questions that may take long have a thread of their own, so that the others do
/// not wait for them; few wait, and work that takes too long is interrupted. Safe to share between threads; its creator
/// closes it.
final class QuestionWork implements AutoCloseable {
    private static final int MOST_WAITING = 8;

    private final Duration limit;
    private final ThreadPoolExecutor light = threads("muster-question", 2);
    private final ThreadPoolExecutor heavy = threads("muster-heavy-question", 1);

    /// @param limit longest time from a question to its answer
    QuestionWork(Duration limit) {
        this.limit = limit;
    }

    private static ThreadPoolExecutor threads(String name, int count) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                count,
                count,
                1,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_WAITING),
                work -> Thread.ofPlatform().daemon().name(name).unstarted(work));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /// Returns the answer to come. Work is interrupted when the time is over.
    ///
    /// @param isHeavy whether the work may take long
    /// @throws Refusal if too many wait
    <T> CompletableFuture<T> answer(boolean isHeavy, Supplier<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        AtomicBoolean isBegun = new AtomicBoolean();
        ThreadPoolExecutor pool = isHeavy ? heavy : light;
        Future<?> running;
        try {
            running = pool.submit(() -> {
                isBegun.set(true);
                try {
                    answer.complete(work.get());
                } catch (RuntimeException | Error e) { // the client has to hear of it
                    answer.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException _) {
            throw busy();
        }
        return answer.orTimeout(limit.toNanos(), TimeUnit.NANOSECONDS).exceptionallyCompose(cause -> {
            if (!(cause instanceof TimeoutException)) {
                return CompletableFuture.failedFuture(cause);
            }
            running.cancel(true);
            pool.purge();
            return CompletableFuture.failedFuture(isBegun.get() ? tooLarge() : busy());
        });
    }

    private static Refusal busy() {
        return Refusal.busy("planner-busy", "too many questions are being answered", 10);
    }

    private Refusal tooLarge() {
        return Refusal.of(
                422,
                "question-too-large",
                "the answer takes longer than the " + limit.toSeconds()
                        + " s of this server; ask on the command line, or for less");
    }

    @Override
    public void close() {
        light.shutdownNow();
        heavy.shutdownNow();
    }
}
