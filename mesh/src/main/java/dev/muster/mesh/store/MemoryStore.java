// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.store.StoreException.StoreError;
import java.util.function.LongSupplier;

/// A store for the threads of one JVM. Every member opens its own way in; closing this ends them all.
///
/// @since 0.1
public final class MemoryStore implements AutoCloseable {
    private final StoreTable table;

    private MemoryStore(LongSupplier nanoClock) {
        this.table = new StoreTable((_, _) -> {}, nanoClock);
    }

    /// An empty store.
    public static MemoryStore create() {
        return create(System::nanoTime);
    }

    static MemoryStore create(LongSupplier nanoClock) {
        return new MemoryStore(nanoClock);
    }

    /// A member's way in, to be closed by that member.
    public Store open() {
        return new TableStore(table, TableStorage.NONE, true, () -> {});
    }

    /// Ends the store for all members.
    @Override
    public void close() {
        table.end(new StoreException(StoreError.CLOSED, "the store was closed"));
    }
}
