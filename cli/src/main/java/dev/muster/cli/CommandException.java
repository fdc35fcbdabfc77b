// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.report.text.Printable;
import java.io.Serial;

/// A command that cannot do what it was asked. The message is one sentence: what, where, and what to do.
final class CommandException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    CommandException(String message) {
        super(message);
    }

    /// With what another exception says behind a colon.
    CommandException(String what, Exception cause) {
        super(what + ": " + Printable.of(cause), cause);
    }
}
