// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import dev.muster.model.PlanException;
import java.io.Serial;

/// A model file that cannot be read. The message is one sentence for people: what is wrong, where, and what to do.
///
/// @since 0.1
public final class CheckpointException extends PlanException {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final long NO_OFFSET = -1;

    private final Code code;
    private final String file;
    private final long offset;

    private CheckpointException(Code code, String file, long offset, String message) {
        super(message);
        this.code = code;
        this.file = file;
        this.offset = offset;
    }

    /// Returns an exception for an error at a place in a file.
    static CheckpointException at(Code code, String file, long offset, String what) {
        return new CheckpointException(code, file, offset, "'" + file + "', byte " + offset + ": " + what);
    }

    /// Returns an exception for an error that concerns a whole file.
    static CheckpointException of(Code code, String file, String what) {
        return new CheckpointException(code, file, NO_OFFSET, "'" + file + "' " + what);
    }

    /// Returns the kind of error.
    public Code code() {
        return code;
    }

    /// Returns the file's name, without its folder.
    public String file() {
        return file;
    }

    /// Returns the byte at which reading stopped, from 0; -1 when the exception concerns no place.
    public long offset() {
        return offset;
    }

    /// The kinds of errors in model files.
    public enum Code {
        /// The file does not exist.
        MISSING,
        /// The file cannot be opened or read: permission, a failing disk, not a regular file.
        UNREADABLE,
        /// The bytes are not of a supported format.
        UNKNOWN_FORMAT,
        /// The format is known and refused, such as a plain pickle.
        REFUSED,
        /// The version of the format is not supported.
        UNKNOWN_VERSION,
        /// The file is shorter than its header announces.
        TRUNCATED,
        /// The bytes break the rules of the format.
        MALFORMED,
        /// A count, length or depth exceeds a limit.
        TOO_LARGE,
        /// A key or tensor occurs twice.
        DUPLICATE,
        /// The type of a tensor or value is unknown.
        UNKNOWN_TYPE,
        /// Tensors lie outside the file, over each other, or not where their size says.
        MISPLACED,
        /// Files of one checkpoint contradict each other, or one of them is missing.
        INCONSISTENT,
        /// Reading took longer than allowed.
        TIMED_OUT
    }
}
