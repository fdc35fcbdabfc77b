package dev.muster.cli;

import java.io.PrintStream;

/// Where the text of a run goes.
///
/// @param stdout for data
/// @param stderr for everything else
record Outlet(StandardOutput stdout, PrintStream stderr) {
    /// Writes both and returns the exit code that the write deserves.
    int write(String output, String notes) {
        int written = stdout.write(output, stderr);
        stderr.print(notes);
        stderr.flush();
        return written;
    }
}
