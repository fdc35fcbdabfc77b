package dev.muster.mesh.store;

import java.util.Locale;

/// Why a store could not do what it was asked. The names are stable.
///
/// @since 0.1
public enum StoreFault {
    /// It did not happen in time.
    LIMIT_EXCEEDED,
    /// The store was closed on this side.
    CLOSED,
    /// The other side is gone: its process ended, its folder was removed, or it does not answer any more.
    LOST,
    /// The other side does not let us in, or we do not trust it.
    REFUSED,
    /// The mesh has moved on to a newer generation.
    STALE,
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
    /// What the other side sent makes no sense.
    GARBLED,
    /// The listener of a watch failed, or fell too far behind.
    LISTENER_FAILED,
    /// A file could not be read or written.
    FILE_FAILED;

    /// The name in documents and messages, such as `limit-exceeded`.
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
