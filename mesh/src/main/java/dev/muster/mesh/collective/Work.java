// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import dev.muster.mesh.collective.GroupException.GroupError;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Operations that were handed to a group and run on its own thread. Safe for use by several threads.
///
/// @since 0.1
public final class Work {
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Runnable task;
    /// Hands it to its group if that has not happened.
    private final Runnable begin;
    private volatile CallState state = CallState.QUEUED;
    private volatile @Nullable RuntimeException failure;
    private volatile long nanos;

    Work(Runnable task) {
        this(task, () -> {});
    }

    /// Work that its group gets when somebody waits for it.
    Work(Runnable task, Runnable begin) {
        this.task = task;
        this.begin = begin;
    }

    void run() {
        if (!leaveQueue(CallState.RUNNING)) {
            return;
        }
        long start = System.nanoTime();
        CallState end = CallState.FAILED;
        try {
            task.run();
            end = CallState.DONE;
        } catch (RuntimeException e) {
            failure = e;
        } finally {
            nanos = System.nanoTime() - start;
            state = end;
            complete();
        }
    }

    private synchronized boolean leaveQueue(CallState next) {
        boolean queued = state.equals(CallState.QUEUED);
        if (queued) {
            state = next;
        }
        return queued;
    }

    private void complete() {
        RuntimeException cause = failure;
        if (cause != null) {
            ended.completeExceptionally(cause);
        } else if (state.equals(CallState.CANCELLED)) {
            ended.cancel(false);
        } else {
            ended.complete(null);
        }
    }

    /// A future that completes when it has ended, with its failure if it failed. Stages that follow run on the group's
    /// thread unless they are asynchronous; cancelling the future does not cancel the work.
    public CompletableFuture<Void> toFuture() {
        begin.run();
        return ended.copy();
    }

    /// Waits until it has ended.
    ///
    /// @throws GroupException if it failed, was cancelled or has not ended within the limit, in which case
    ///     it goes on
    public void await(Duration limit) {
        begin.run();
        try {
            ended.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new GroupException(
                    GroupError.LIMIT_EXCEEDED, "the work has not ended within " + GroupException.text(limit));
        } catch (ExecutionException | CancellationException e) {
            throwFailure();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GroupException(GroupError.ABORTED, "waiting for the work was interrupted", e);
        }
    }

    private void throwFailure() {
        RuntimeException cause = failure;
        if (cause instanceof GroupException known) {
            throw known.again();
        }
        if (cause != null) {
            throw cause;
        }
        throw new GroupException(GroupError.ABORTED, "the work was cancelled before it began");
    }

    /// Takes it back if it has not begun. What has begun cannot be taken back: the other ranks wait for it.
    ///
    /// @return true if it was taken back
    public boolean cancel() {
        boolean taken = leaveQueue(CallState.CANCELLED);
        if (taken) {
            complete();
        }
        return taken;
    }

    /// Returns the state of the call.
    public CallState state() {
        return state;
    }

    /// Returns the failure of the call.
    public Optional<RuntimeException> failure() {
        return Optional.ofNullable(failure);
    }

    /// Returns the running time; zero while it has not ended.
    public Duration elapsed() {
        return Duration.ofNanos(nanos);
    }
}
