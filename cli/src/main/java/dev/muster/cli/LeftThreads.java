// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.core.foreign.NativeLibrary;
import dev.muster.detect.timed.TimedTask;

/// Threads that hang in the kernel, in a file that does not answer. HotSpot waits 300 ms for them when it ends,
/// whether `main` returns or `Runtime.halt` is called; the C library does not. A command has written all it has to say
/// by then, and nothing of what it does has to be undone: only commands that work on for long have shutdown hooks.
final class LeftThreads {
    private static final int MOST_SEEN = 64;

    private LeftThreads() {}

    /// Reports whether a thread that reads files was left behind. Every start asks, so it looks at names alone.
    static boolean any() {
        Thread[] threads = new Thread[MOST_SEEN];
        int count = Thread.enumerate(threads);
        for (int i = 0; i < count; i++) {
            if (isLeft(threads[i])) {
                return true;
            }
        }
        return false;
    }

    static boolean isLeft(Thread thread) {
        return thread.isDaemon() && thread.isAlive() && thread.getName().startsWith(TimedTask.NAME);
    }

    /// Ends the process at once, where the system can.
    static void leave(int code) {
        System.err.flush();
        NativeLibrary.ofSystem().find("_exit").ifPresent(exit -> exit.call(code));
    }
}
