// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import java.util.concurrent.CancellationException;

/// Ends searches and simulations of a thread that was interrupted.
public final class Interruption {
    private Interruption() {}

    /// Checks whether the work is still wanted.
    ///
    /// @throws CancellationException if the thread was interrupted
    public static void check() {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted");
        }
    }
}
