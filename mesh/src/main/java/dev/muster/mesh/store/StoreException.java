package dev.muster.mesh.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A store could not do what it was asked.
///
/// @since 0.1
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int MOST_NAMED = 8;

    private final StoreFault fault;

    /// The keys that were waited for in vain.
    @SuppressWarnings("serial") // an immutable list, which is serializable
    private final List<String> missing;

    /// Says what went wrong.
    public StoreException(StoreFault fault, String message) {
        this(fault, message, List.of(), null);
    }

    /// Says what went wrong, and because of what.
    public StoreException(StoreFault fault, String message, @Nullable Throwable cause) {
        this(fault, message, List.of(), cause);
    }

    StoreException(StoreFault fault, String message, List<String> missing, @Nullable Throwable cause) {
        super(message, cause);
        this.fault = fault;
        this.missing = List.copyOf(missing);
    }

    /// The same once more, for another thread: each caller gets a stack of its own.
    StoreException again() {
        return new StoreException(fault, String.valueOf(getMessage()), missing, this);
    }

    /// What kind of failure this is.
    public StoreFault fault() {
        return fault;
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
}
