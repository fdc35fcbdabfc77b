// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

/// The limits of a store. The same for all stores, so that what works in one works in each.
final class StoreLimits {
    /// Bytes of a key in UTF-8, prefixes included.
    public static final int MAX_KEY_BYTES = 512;
    /// Bytes of one value.
    public static final int MAX_VALUE_BYTES = 1 << 20;
    /// Keys of a store.
    public static final int MAX_KEYS = 65_536;
    /// Bytes of all keys and values of a store.
    public static final long MAX_TOTAL_BYTES = 64L << 20;
    /// Keys of one call that waits.
    public static final int MAX_AWAITED_KEYS = 16_384;
    /// Bytes of one message between a client and a server.
    public static final int MAX_FRAME_BYTES = 4 << 20;
    /// Changes that a slow listener may be behind.
    public static final int MAX_PENDING_EVENTS = 2 * MAX_KEYS;
    /// Calls of one connection that wait in a server at the same time.
    public static final int MAX_WAITS_PER_CONNECTION = 1_024;
    /// Watches of one connection.
    public static final int MAX_WATCHES_PER_CONNECTION = 256;
    /// Bytes that a connection may leave unread before it is cut.
    public static final int MAX_UNREAD_BYTES = 16 << 20;

    private StoreLimits() {}
}
