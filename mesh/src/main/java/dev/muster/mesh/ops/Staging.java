package dev.muster.mesh.ops;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Memory outside the heap through which arrays go to a group and come back. Grows to what is needed and
/// is kept. Confined to whoever holds the lock of its owner.
final class Staging implements AutoCloseable {
    private static final long FIRST_BYTES = 64 << 10;
    private static final long ALIGNMENT = 64;

    private Arena arena = Arena.ofShared();
    private MemorySegment memory = arena.allocate(FIRST_BYTES, ALIGNMENT);
    private long used;

    /// Gives back all that was taken and makes room for so many bytes.
    void begin(long bytes) {
        if (memory.byteSize() < bytes) {
            Arena larger = Arena.ofShared();
            memory = larger.allocate(bytes, ALIGNMENT);
            arena.close();
            arena = larger;
        }
        used = 0;
    }

    MemorySegment room(long bytes) {
        MemorySegment room = memory.asSlice(used, bytes);
        used += bytes;
        return room;
    }

    MemorySegment copyOf(MemorySegment values) {
        return room(values.byteSize()).copyFrom(values);
    }

    @Override
    public void close() {
        arena.close();
    }
}
