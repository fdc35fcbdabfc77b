// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.session;

import dev.muster.cli.option.ExitCode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// The destination of a run's output.
///
/// @param stdout for data; unlike a [PrintStream], it says when a write fails
/// @param stderr for everything else
/// @param progress true if `stderr` is interactive
public record Outlet(OutputStream stdout, PrintStream stderr, boolean progress) {
    private static final String BEGINNING_OF_CLEARED_LINE = "\r\u001b[K";
    private static final String READER_GONE = "Broken pipe";

    /// Writes both and returns the exit code that the write deserves.
    public int write(String output, String notes) {
        int written = write(output);
        stderr.print(notes);
        stderr.flush();
        return written;
    }

    /// Standard output is written in one go, so that it is either whole or known not to be.
    private int write(String output) {
        try {
            stdout.write(output.getBytes(StandardCharsets.UTF_8));
            stdout.flush();
            return ExitCode.OK;
        } catch (IOException e) {
            String message = String.valueOf(e.getMessage());
            if (message.contains(READER_GONE)) {
                return ExitCode.READER_GONE;
            }
            stderr.println("muster: cannot write to standard output: " + message);
            return ExitCode.CANNOT_WRITE;
        }
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
