package dev.muster.mesh.store;

/// Hears the changes of a store, one after the other, on a thread of the watch.
///
/// @since 0.1
@FunctionalInterface
public interface StoreListener {
    /// A key has this value now.
    void onSet(String key, byte[] value);

    /// A key is gone.
    default void onDelete(String key) {}

    /// No more changes will come, and not because the watch was closed.
    default void onEnd(StoreException reason) {}
}
