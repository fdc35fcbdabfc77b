package dev.muster.cli;

import java.io.Serial;

/// A command line that cannot be understood. The message is one sentence: what, and what to do.
final class UsageException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
