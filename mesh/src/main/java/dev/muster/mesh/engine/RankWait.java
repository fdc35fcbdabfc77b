// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.engine;

import java.util.concurrent.locks.LockSupport;

/// The way in which a thread waits for another rank: it looks again and again while the other is likely to come at
/// once, then lets others run in between, then naps. Confined to one thread.
public final class RankWait {
    private static final long NAP_NANOS = 50_000;

    private final int spins;
    private final int yields;
    private int looks;

    /// RankWait that looks so many times before it lets others run, and lets others run so many times before it naps.
    public RankWait(int spins, int yields) {
        this.spins = spins;
        this.yields = yields;
    }

    /// Begins to wait for something else.
    public void begin() {
        looks = 0;
    }

    /// Passes a moment.
    ///
    /// @return true if it has become time to ask if waiting still makes sense
    @SuppressWarnings("ThreadPriorityCheck") // ranks that share a processor must let each other run
    public boolean pass() {
        int look = ++looks;
        if (look <= spins) {
            Thread.onSpinWait();
            return false;
        }
        if (look - spins <= yields) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(NAP_NANOS);
        }
        return true;
    }
}
