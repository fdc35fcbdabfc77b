package dev.muster.cli;

import java.time.Duration;

/// Waits. The only way in which the program spends time on nothing, so that tests need not.
interface Pause {
    /// Waits on this thread; false when somebody wants the program to end instead.
    boolean await(Duration time);

    /// Waits for real.
    final class OfThread implements Pause {
        @Override
        public boolean await(Duration time) {
            try {
                Thread.sleep(time);
                return true;
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }
}
