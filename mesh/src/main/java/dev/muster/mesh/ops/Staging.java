package dev.muster.mesh.ops;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Memory outside the heap through which arrays go to a group and come back. Grows to what is needed and
/// is kept. Confined to whoever holds the lock of its owner.
final class Staging implements AutoCloseable {
    private static final long FIRST_BYTES = 64 << 10;
    private static final long ALIGNMENT = 64;

    private Arena arena = Arena.ofShared();
    private MemorySegment memory = arena.allocate(FIRST_BYTES, ALIGNMENT);
    private long used;

    /// Gives back all that was taken and makes room for so many elements of four bytes.
    void begin(long elements) {
        long bytes = elements * Integer.BYTES;
        if (memory.byteSize() < bytes) {
            Arena larger = Arena.ofShared();
            memory = larger.allocate(bytes, ALIGNMENT);
            arena.close();
            arena = larger;
        }
        used = 0;
    }

    /// Room for elements of four bytes.
    MemorySegment room(long elements) {
        MemorySegment room = memory.asSlice(used, elements * Integer.BYTES);
        used += room.byteSize();
        return room;
    }

    MemorySegment copyOf(float[] values) {
        return room(values.length).copyFrom(MemorySegment.ofArray(values));
    }

    MemorySegment copyOf(int[] values) {
        return room(values.length).copyFrom(MemorySegment.ofArray(values));
    }

    static void copy(MemorySegment from, float[] to) {
        MemorySegment.copy(from, ValueLayout.JAVA_FLOAT, 0, to, 0, to.length);
    }

    static void copy(MemorySegment from, int[] to) {
        MemorySegment.copy(from, ValueLayout.JAVA_INT, 0, to, 0, to.length);
    }

    @Override
    public void close() {
        arena.close();
    }
}
