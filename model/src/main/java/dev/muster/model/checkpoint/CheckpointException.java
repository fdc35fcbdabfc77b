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

    /// Something wrong at a place in a file.
    static CheckpointException at(Code code, String file, long offset, String what) {
        return new CheckpointException(code, file, offset, "'" + file + "', byte " + offset + ": " + what);
    }

    /// Something wrong with a file as a whole.
    static CheckpointException of(Code code, String file, String what) {
        return new CheckpointException(code, file, NO_OFFSET, "'" + file + "' " + what);
    }

    /// What kind of thing is wrong.
    public Code code() {
        return code;
    }

    /// The file's name, without its folder.
    public String file() {
        return file;
    }

    /// The byte at which reading stopped, from 0; -1 when the exception concerns no place.
    public long offset() {
        return offset;
    }

    /// What kind of thing is wrong with a model file.
    public enum Code {
        /// There is no such file.
        MISSING,
        /// The file cannot be opened or read: permission, a failing disk, no plain file.
        UNREADABLE,
        /// The bytes are those of no format that is read here.
        UNKNOWN_FORMAT,
        /// The format is known and refused, such as a pickle.
        REFUSED,
        /// The format's version is not read here.
        UNKNOWN_VERSION,
        /// The file ends before what it announces.
        TRUNCATED,
        /// The bytes break the rules of the format.
        MALFORMED,
        /// A count, length or depth is larger than is read.
        TOO_LARGE,
        /// A key or tensor is there twice.
        DUPLICATE,
        /// A type of tensor or value is not known.
        UNKNOWN_TYPE,
        /// Tensors lie outside the file, over each other, or not where their size says.
        MISPLACED,
        /// Files of one checkpoint contradict each other, or one of them is missing.
        INCONSISTENT,
        /// Reading took longer than allowed.
        TIMED_OUT
    }
}
