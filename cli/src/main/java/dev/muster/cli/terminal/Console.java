// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.terminal;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/// A terminal that is drawn on as a whole. Confined to one thread, but for [#wake()].
public interface Console extends AutoCloseable {
    Size size();

    /// Writes text and control sequences.
    ///
    /// @throws IOException if the terminal is gone
    void write(String text) throws IOException;

    /// Waits for what the user types.
    ///
    /// @return the bytes; empty if the time ran out or [#wake()] was called
    /// @throws IOException if the terminal is gone
    Optional<byte[]> await(Duration limit) throws IOException;

    /// Ends a wait; may be called on any thread.
    void wake();

    /// Gives the terminal back and stops the job, as Ctrl-Z does; takes the terminal over again when the job goes on.
    ///
    /// @throws IOException if the terminal is gone
    void suspend() throws IOException;

    /// Leaves the terminal as it was.
    @Override
    void close();

    /// The size of a terminal.
    ///
    /// @param lines its lines
    /// @param columns its columns
    record Size(int lines, int columns) {}
}
