// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.option;

import dev.muster.report.text.Printable;
import java.io.Serial;

/// A command that cannot do what it was asked. The message is one sentence: what, where, and what to do.
public final class CommandException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    public CommandException(String message) {
        super(message);
    }

    /// With what another exception says behind a colon.
    public CommandException(String what, Exception cause) {
        super(what + ": " + Printable.of(cause), cause);
    }
}
