// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.shm.LocalRegions;
import dev.muster.mesh.store.MemoryStore;

/// A meeting place for threads of one process as ranks of a mesh. The caller that made it closes it, after the
/// sessions.
///
/// @since 0.1
public final class LocalHub implements AutoCloseable {
    private final MemoryStore store = MemoryStore.create();
    private final LocalRegions regions;

    /// A place without ranks yet.
    public LocalHub() {
        this.regions = new LocalRegions(Runtime.getRuntime().availableProcessors());
    }

    /// A thread of this process joins; the call returns when all ranks have.
    public MeshSession join(int rank, int worldSize, SessionConfig config) {
        return MeshSession.join(store.open(), rank, worldSize, config.withProvider(regions));
    }

    @Override
    public void close() {
        store.close();
    }
}
