package dev.muster.mesh.tcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Memory of the engine's own for what arrives and is reduced. Grows to what is needed and is kept. Confined to one
/// thread, except for [#close()].
final class Scratch implements AutoCloseable {
    private Arena arena = Arena.ofShared();
    private MemorySegment memory = arena.allocate(64 << 10, 64);

    MemorySegment ofBytes(long bytes) {
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
