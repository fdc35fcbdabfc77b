// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// Ends the processes that a tool left behind. Such a process has lost its parent, so it is known by a variable
/// that it inherited; the kernel shows variables to their user alone. Linux only: elsewhere nothing is found.
///
/// @param mark the variable's value, which no other run has
record OrphanedProcesses(String mark) {
    /// The variable.
    static final String VARIABLE = "MUSTER_TOOL";

    private static final int MOST_BYTES = 64 << 10;

    /// Ends them by force: they had the tool's time.
    ///
    /// @param tool the tool's process; what it started has a higher number, unless the kernel began anew
    void end(long tool) {
        String[] names = new File("/proc").list();
        if (names == null) {
            return;
        }
        for (String name : names) {
            long pid = number(name);
            if (pid > tool && isMarked(name)) {
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    private static long number(String name) {
        try {
            return Long.parseLong(name);
        } catch (NumberFormatException _) {
            return -1;
        }
    }

    private boolean isMarked(String pid) {
        try (InputStream stream = new FileInputStream("/proc/" + pid + "/environ")) {
            String variables = new String(stream.readNBytes(MOST_BYTES), StandardCharsets.ISO_8859_1);
            return ("\0" + variables).contains("\0" + VARIABLE + "=" + mark + "\0");
        } catch (IOException _) {
            // Another user's, or gone by now.
            return false;
        }
    }
}
