// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.MeshException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A store could not do what it was asked.
///
/// @since 0.1
public final class StoreException extends MeshException {
    private static final long serialVersionUID = 1L;
    private static final int MOST_NAMED = 8;

    private final StoreError code;

    /// The keys that were waited for in vain.
    @SuppressWarnings("serial") // an immutable list, which is serializable
    private final List<String> missing;

    /// Says what went wrong.
    public StoreException(StoreError code, String message) {
        this(code, message, List.of(), null);
    }

    /// Says what went wrong, and because of what.
    public StoreException(StoreError code, String message, @Nullable Throwable cause) {
        this(code, message, List.of(), cause);
    }

    StoreException(StoreError code, String message, List<String> missing, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.missing = List.copyOf(missing);
    }

    /// The same once more, for another thread: each caller gets a stack of its own.
    StoreException again() {
        return new StoreException(code, String.valueOf(getMessage()), missing, this);
    }

    /// Returns the kind of failure.
    public StoreError code() {
        return code;
    }

    /// The keys that were waited for and were not there, in order; empty for other failures.
    public List<String> missing() {
        return missing;
    }

    /// Keys as a message names them: the first few, and how many more.
    static String named(List<String> keys) {
        String first = String.join(", ", keys.subList(0, Math.min(MOST_NAMED, keys.size())));
        return keys.size() <= MOST_NAMED ? first : first + " and " + (keys.size() - MOST_NAMED) + " more";
    }

    /// The kinds of failures of a store. The names are stable.
    ///
    /// @since 0.1
    public enum StoreError {
        /// It did not happen in time.
        LIMIT_EXCEEDED,
        /// The store was closed on this side.
        CLOSED,
        /// The other side is gone: its process ended, its folder was removed, or it does not answer any more.
        LOST,
        /// The other side does not let us in, or we do not trust it.
        REFUSED,
        /// A key, value, answer or the whole store is larger than allowed.
        TOO_LARGE,
        /// The key or prefix is not a legal one.
        ILLEGAL_KEY,
        /// The value is not a number that could be added to.
        NOT_A_COUNTER,
        /// This kind of store cannot do it.
        UNSUPPORTED,
        /// The waiting thread was interrupted.
        INTERRUPTED,
        /// The message of the other side makes no sense.
        GARBLED,
        /// The listener of a watch failed, or fell too far behind.
        LISTENER_FAILED,
        /// A file could not be read or written.
        FILE_FAILED;

        /// The name in documents and messages, such as `limit-exceeded`.
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
