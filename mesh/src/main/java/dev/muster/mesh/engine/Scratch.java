// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Memory of an engine's own for what arrives and is reduced. Grows to what is needed and is kept.
/// Confined to one thread, except for [#close()].
public final class Scratch implements AutoCloseable {
    private Arena arena = Arena.ofShared();
    private MemorySegment memory = arena.allocate(64 << 10, 64);

    /// Little memory at first.
    public Scratch() {}

    /// Memory of at least that size; what was in it may be lost.
    public MemorySegment ofBytes(long bytes) {
        if (memory.byteSize() < bytes) {
            Arena larger = Arena.ofShared();
            memory = larger.allocate(bytes, 64);
            arena.close();
            arena = larger;
        }
        return memory;
    }

    @Override
    public void close() {
        arena.close();
    }
}
