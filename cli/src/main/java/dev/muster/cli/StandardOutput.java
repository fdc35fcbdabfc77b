package dev.muster.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// Standard output, written in one go, so that it is either whole or known not to be.
///
/// @param stream the stream; unlike a [PrintStream], it says when a write fails
record StandardOutput(OutputStream stream) {
    private static final String READER_GONE = "Broken pipe";

    /// Writes the text and returns the exit code that the write deserves.
    int write(String text, PrintStream stderr) {
        try {
            stream.write(text.getBytes(StandardCharsets.UTF_8));
            stream.flush();
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
}
