// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.ProcessGroup.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Messages that were started and that the group's thread has not got yet. They begin together, as one exchange: two
/// ranks may both start to send before they start to receive. Safe for use by several threads.
final class PendingMessages {
    /// More begin without anybody having asked.
    private static final int MOST = 10_000;

    private final WorkQueue queue;
    private List<Message> messages = new ArrayList<>();
    /// Read without the lock on the way of every call.
    private volatile @Nullable Work work;
    private boolean closed;

    PendingMessages(WorkQueue queue) {
        this.queue = queue;
    }

    /// Adds a message to those that begin next.
    ///
    /// @param exchange moves messages at once
    synchronized Work add(Message message, Consumer<List<Message>> exchange) {
        if (closed) {
            throw new GroupException(GroupError.CLOSED, "the group is closed");
        }
        if (messages.size() == MOST) {
            begin();
        }
        Work pending = work;
        if (pending == null || pending.state().equals(CallState.CANCELLED)) {
            List<Message> together = new ArrayList<>();
            messages = together;
            pending = new Work(() -> exchange.accept(together), this::begin);
            work = pending;
        }
        messages.add(message);
        return pending;
    }

    /// Hands the messages to the group's thread.
    void begin() {
        if (work != null) {
            submit();
        }
    }

    private synchronized void submit() {
        Work pending = work;
        if (pending != null) {
            work = null;
            messages = new ArrayList<>();
            queue.submit(pending);
        }
    }

    /// Cancels messages that have not begun.
    synchronized void close() {
        closed = true;
        Work pending = work;
        if (pending != null) {
            work = null;
            pending.cancel();
        }
    }
}
