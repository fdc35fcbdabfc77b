// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.session;

import dev.muster.cli.terminal.LiveTerminal;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// The pause between two samples: time passes, a key is pressed, a window gets another width. The only way in
/// which the program spends time on nothing, so that tests need not.
public interface Pause {
    /// Waits on this thread; false when the user ends the program instead.
    boolean await(Duration time);

    /// Returns the current width of the terminal; empty if that is unknown. Once called, keys can end a
    /// wait.
    default OptionalInt columns() {
        return OptionalInt.empty();
    }

    /// Waits for real.
    final class OfThread implements Pause {
        /// A pressed key is answered within this time.
        private static final Duration STEP = Duration.ofMillis(50);

        private @Nullable LiveTerminal terminal;

        @Override
        public boolean await(Duration time) {
            long end = System.nanoTime() + time.toNanos();
            try {
                for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
                    if (terminal != null && terminal.isQuit()) {
                        return false;
                    }
                    Thread.sleep(Duration.ofNanos(terminal == null ? left : Math.min(left, STEP.toNanos())));
                }
                return true;
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        @Override
        public OptionalInt columns() {
            if (terminal == null) {
                terminal = LiveTerminal.open(System.in);
            }
            return terminal.columns();
        }
    }
}
