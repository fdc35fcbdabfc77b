// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

/// An answer of the API server other than what was asked for, or none. The message is one sentence for people.
final class AnswerException extends Exception {
    static final int UNAUTHORIZED = 401;
    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;
    static final int GONE = 410;
    static final int TOO_MANY = 429;
    /// The server did not answer.
    static final int NONE = 0;

    private static final long serialVersionUID = 1;

    private final int status;

    AnswerException(int status, String message) {
        super(message);
        this.status = status;
    }

    AnswerException(String message, Throwable cause) {
        super(message, cause);
        this.status = NONE;
    }

    int status() {
        return status;
    }

    String sentence() {
        return String.valueOf(getMessage());
    }
}
