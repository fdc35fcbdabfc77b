// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import dev.muster.mesh.collective.GroupException.GroupError;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// State that all views of a group share: the turn, the call that is filled anew each time, and the failure of the
/// group.
final class GroupCore {
    final GroupIdentity identity;
    final Engine engine;
    final GroupCall call;
    final Transfer[] pair = {new Transfer(), new Transfer()};
    final FlightRecorder recorder = new FlightRecorder();
    final WorkQueue queue;
    final PendingMessages messages;
    private final UnaryOperator<GroupException> onFailure;
    private final ReentrantLock turn = new ReentrantLock();
    private volatile @Nullable GroupException failure;
    private long sequence;
    private final AtomicBoolean closed = new AtomicBoolean();

    GroupCore(GroupIdentity identity, Engine engine, UnaryOperator<GroupException> onFailure) {
        this.identity = identity;
        this.engine = engine;
        this.onFailure = onFailure;
        this.call = new GroupCall(identity.size());
        this.queue = new WorkQueue(identity.name());
        this.messages = new PendingMessages(queue);
    }

    /// Waits for this thread's turn; the call is this thread's to fill until [#run(Duration)], which must follow.
    GroupCall take(Duration limit) {
        messages.begin();
        queue.awaitIdle(limit);
        turn.lock();
        GroupException before = failure;
        if (before != null) {
            turn.unlock();
            throw before.again();
        }
        return call;
    }

    /// Carries out the call that was filled, and ends this thread's turn.
    void run(Duration limit) {
        try {
            engine.requirePossible(call);
            carryOut(limit);
        } finally {
            turn.unlock();
        }
    }

    private void carryOut(Duration limit) {
        CollectiveEvent event = new CollectiveEvent();
        event.begin();
        try {
            call.begin(++sequence, System.nanoTime(), limit);
            recorder.begin(call);
            engine.execute(call);
            recorder.end(call, CallState.DONE);
            event.commit(identity, call, false);
        } catch (RuntimeException e) {
            recorder.end(call, CallState.FAILED);
            event.commit(identity, call, true);
            throw failed(e);
        }
    }

    private GroupException failed(RuntimeException e) {
        GroupException before = failure;
        if (before != null) {
            return before.again();
        }
        GroupException mine = e instanceof GroupException known
                ? known
                : new GroupException(GroupError.ABORTED, identity.where(call) + " broke off: " + e, e);
        // Others learn of it first, and only then see that this member stops: what they report is the cause.
        GroupException first = onFailure.apply(mine);
        failure = first;
        engine.abort(first);
        return first;
    }

    /// Fails the group from outside: what is under way ends, what comes later is refused.
    void fail(GroupException reason) {
        if (failure == null) {
            failure = reason;
            engine.abort(reason);
        }
    }

    @Nullable
    GroupException failure() {
        return failure;
    }

    void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        messages.close();
        queue.close();
        if (failure == null) {
            failure = new GroupException(GroupError.CLOSED, "group " + identity.name() + " is closed");
        }
        engine.close();
    }
}
