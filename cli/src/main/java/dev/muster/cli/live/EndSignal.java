// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.live;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Hears when the process is to end (SIGTERM, Ctrl-C), wakes the thread that listens, and holds the end back until that
/// thread has closed what it opened.
final class EndSignal implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    private final Thread listener;
    private final Thread hook;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean given;

    private EndSignal(Thread listener) {
        this.listener = listener;
        this.hook = new Thread(this::end, "muster-end");
    }

    /// Wakes the calling thread, by interrupting it.
    static EndSignal listen() {
        EndSignal signal = new EndSignal(Thread.currentThread());
        Runtime.getRuntime().addShutdownHook(signal.hook);
        return signal;
    }

    boolean isGiven() {
        return given;
    }

    /// Clears the interrupt that told of the end: closing waits for others, and may not be cut short by it.
    void accept() {
        Thread.interrupted();
    }

    private void end() {
        given = true;
        listener.interrupt();
        try {
            closed.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        if (!given) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException _) {
                // the process ends already, and the hook has nothing to wait for
            }
        }
    }
}
