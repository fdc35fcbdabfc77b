package dev.muster.cli;

import dev.muster.cli.render.Printable;
import java.io.Serial;

/// A command line that cannot be understood. The message is one sentence: what, and what to do.
final class UsageException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }

    /// With what another exception says behind a colon.
    UsageException(String what, Exception cause) {
        super(what + ": " + Printable.of(cause), cause);
    }
}
