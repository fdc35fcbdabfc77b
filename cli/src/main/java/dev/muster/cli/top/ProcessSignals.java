// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Ends processes of this host, after a question. A process is held from the question on, so that another one that got
/// its number meanwhile is not meant. Confined to one thread.
public final class ProcessSignals {
    private final boolean root;
    private final String user;
    private @Nullable ProcessHandle held;

    /// @param user user of this program
    public ProcessSignals(String user) {
        this.user = user;
        this.root = user.equals("root");
    }

    /// Holds a process; says why that is not possible, or nothing if it is.
    String hold(long pid) {
        Optional<ProcessHandle> handle = ProcessHandle.of(pid);
        String owner = handle.flatMap(found -> found.info().user()).orElse("");
        held = null;
        if (handle.isEmpty()) {
            return "no process " + pid + " here";
        }
        if (handle.get().equals(ProcessHandle.current())) {
            return "process " + pid + " is this program; q ends it";
        }
        if (!root && !owner.equals(user)) {
            return "process " + pid + " is not yours" + (owner.isEmpty() ? "" : ", but of " + owner);
        }
        held = handle.get();
        return "";
    }

    /// Sends SIGTERM to the process that is held, and says what came of it.
    String end() {
        ProcessHandle process = held;
        held = null;
        if (process == null || !process.isAlive()) {
            return "the process has already exited";
        }
        return process.destroy()
                ? "sent SIGTERM to process " + process.pid()
                : "could not send a signal to process " + process.pid();
    }
}
