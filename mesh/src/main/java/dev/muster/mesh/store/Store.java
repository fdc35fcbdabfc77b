// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.store.StoreException.StoreError;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Keys and values that all members of a mesh see. Safe for use by many threads.
///
/// A store is one member's way in. The caller that opened it closes it; calls in flight then fail with
/// [StoreError#CLOSED]. Every failure is a [StoreException] with a [StoreError]. Keys are text without control
/// characters, up to [StoreLimits#MAX_KEY_BYTES]; values are bytes, copied on the way in and out.
///
/// @since 0.1
public interface Store extends AutoCloseable {
    /// Opens the store in a folder, for the processes of one host; the folder is made when it is not there, its
    /// parent has to be. It has to be on a local file system with working locks, and belongs to its user alone.
    /// Such a store does not notice members that are lost.
    ///
    /// @throws StoreException `file-failed` if that cannot be done
    static Store inFolder(Path folder) {
        return FileLog.openStore(folder);
    }

    /// Connects to the store of a [TcpStoreServer].
    ///
    /// @param limit limit of connecting
    /// @throws StoreException `limit-exceeded` if the server cannot be reached in time, `refused` if it does
    ///     not let us in
    static Store connect(InetSocketAddress server, TcpStoreConfig config, Duration limit) {
        return TcpStore.connect(server, config, limit);
    }

    /// Sets a key to a value and replaces any value that it had.
    void set(String key, byte[] value);

    /// The value of a key, if it has one now.
    Optional<byte[]> find(String key);

    /// Waits until a key has a value.
    ///
    /// @throws StoreException `limit-exceeded` if it has none in time
    default byte[] await(String key, Duration limit) {
        return awaitAll(List.of(key), limit).values().iterator().next();
    }

    /// Waits until all keys have values at the same time, and gives them in the order asked for.
    ///
    /// @throws StoreException `limit-exceeded` with the [StoreException#missing] keys if they have not in time
    Map<String, byte[]> awaitAll(Collection<String> keys, Duration limit);

    /// Adds to a number, which starts at zero, and gives the sum. No two callers see the same sum of a positive
    /// delta. The value is kept as decimal text.
    ///
    /// @throws StoreException `not-a-counter` if the value is not a number, or the sum is too large for a long
    long add(String key, long delta);

    /// Gives a key a value unless it has one; tells whether it did. Of many callers, one succeeds.
    boolean setIfAbsent(String key, byte[] value);

    /// Replaces a value that is what the caller expects; tells whether it was. A key without value never matches.
    boolean compareAndSet(String key, byte[] expected, byte[] value);

    /// Removes a key; tells whether it was there.
    boolean delete(String key);

    /// The keys that start with a prefix, sorted; an empty prefix means all.
    List<String> keys(String prefix);

    /// Returns the time since a key was last set, by the clock of the store itself, which no change of the time of day
    /// moves. A store in files counts from when this process read the value.
    Optional<Duration> findAge(String key);

    /// Tells a listener the keys that start with a prefix (a whole key is one, too), then every change to them in
    /// order. A store in files may leave out values that were replaced soon after.
    Watch watch(String prefix, Listener listener);

    /// Gives a key a value that goes away with this member: when the store is closed, or when the member is lost.
    /// If the key is set after that, it stays.
    ///
    /// @throws StoreException `unsupported` by a store that cannot notice a lost member
    void setEphemeral(String key, byte[] value);

    /// Says what the store shall set when this member is lost: when its connection breaks without having been
    /// closed.
    ///
    /// @throws StoreException `unsupported` by a store that cannot notice a lost member
    void setOnLoss(String key, byte[] value);

    /// The same store, with a prefix before every key. Closing it closes this one.
    default Store withPrefix(String prefix) {
        return new PrefixStore(this, prefix);
    }

    /// Leaves the store: removes ephemeral keys, ends watches and calls in flight. Closing twice does nothing.
    @Override
    void close();

    /// Hears the changes of a store, one after the other, on a thread of the watch.
    ///
    /// @since 0.1
    @FunctionalInterface
    public interface Listener {
        /// A key has this value now.
        void onSet(String key, byte[] value);

        /// A key is gone.
        default void onDelete(String key) {}

        /// No more changes will come, and not because the watch was closed.
        default void onEnd(StoreException reason) {}
    }

    /// A listener at work. The caller that asked for it closes it; a listener in the middle of a call finishes that
    /// call.
    ///
    /// @since 0.1
    public interface Watch extends AutoCloseable {
        /// Stops listening. Closing twice does nothing.
        @Override
        void close();
    }
}
