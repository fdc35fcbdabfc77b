// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import java.io.Serial;

/// A document that cannot be read or written. The message is one sentence for people: what, where, and what to do.
///
/// @since 0.1
public final class DocumentException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final long NO_OFFSET = -1;

    private final DocumentErrorCode code;
    private final long offset;

    public DocumentException(DocumentErrorCode code, long offset, String message) {
        super(message);
        this.code = code;
        this.offset = offset;
    }

    /// An exception that concerns no place in a text.
    public static DocumentException of(DocumentErrorCode code, String message) {
        return new DocumentException(code, NO_OFFSET, message);
    }

    /// The kind of error.
    public DocumentErrorCode code() {
        return code;
    }

    /// The byte at which reading stopped, from 0; -1 when the exception concerns no place.
    public long offset() {
        return offset;
    }

    /// The kind of error in a document.
    public enum DocumentErrorCode {
        /// The text is not JSON.
        MALFORMED,
        /// The text is larger, deeper or longer than a reader accepts.
        TOO_LARGE,
        /// A value has another type than the document's schema says.
        WRONG_TYPE,
        /// A number is outside its range, or a name is not among the known ones.
        WRONG_VALUE,
        /// A required key is missing.
        MISSING_KEY,
        /// A key is not in the document's schema.
        UNKNOWN_KEY,
        /// A key is there twice.
        DUPLICATE_KEY,
        /// The document's schema number is newer than this reader.
        NEWER_SCHEMA,
        /// The document's form cannot express what was to be written.
        NOT_REPRESENTABLE
    }
}
