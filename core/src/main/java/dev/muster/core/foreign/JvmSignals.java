// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.foreign;

import java.lang.foreign.Arena;

/// Keeps libraries from taking signals that the JVM lives by. UCX, which libraries of MPI and Gloo bring along, makes
/// SIGSEGV its own when it is loaded, and the JVM uses that signal to find references that are null and to stop its
/// threads: the first of them ended the process.
final class JvmSignals {
    /// The variable with the signals that UCX takes, which UCX reads when it is loaded.
    private static final String TAKEN_BY_UCX = "UCX_ERROR_SIGNALS";

    private static final int KEEP_WHAT_IS_SET = 0;

    /// Variables belong to the process, so once is enough.
    private static boolean isTold;

    private JvmSignals() {}

    /// Makes libraries that are loaded from now on leave the signals alone. A value that is set already stays.
    ///
    /// @throws IllegalStateException if the variable cannot be set
    static synchronized void keep() {
        if (!isTold && !tell()) {
            throw new IllegalStateException("the system refuses to set " + TAKEN_BY_UCX);
        }
        isTold = true;
    }

    /// @return true if the variable is set, or the system has no variables and therefore no UCX
    private static boolean tell() {
        try (Arena arena = Arena.ofConfined()) {
            long name = arena.allocateFrom(TAKEN_BY_UCX).address();
            long none = arena.allocateFrom("").address();
            return NativeLibrary.ofSystem()
                    .find("setenv")
                    .map(set -> set.call(name, none, KEEP_WHAT_IS_SET, 0) == 0)
                    .orElse(true);
        }
    }
}
