package dev.muster.cli;

import java.io.PrintStream;

/// Where the text of a run goes.
///
/// @param stdout for data
/// @param stderr for everything else
/// @param progress whether somebody watches what goes to `stderr`
record Outlet(StandardOutput stdout, PrintStream stderr, boolean progress) {
    private static final String BEGINNING_OF_CLEARED_LINE = "\r\u001b[K";

    /// Writes both and returns the exit code that the write deserves.
    int write(String output, String notes) {
        int written = stdout.write(output, stderr);
        stderr.print(notes);
        stderr.flush();
        return written;
    }

    /// Shows at once what is done now, in place of what was shown before; nothing is shown for a blank
    /// text, and where it goes to a file.
    void showProgress(String text) {
        if (progress) {
            stderr.print(BEGINNING_OF_CLEARED_LINE + text);
            stderr.flush();
        }
    }
}
