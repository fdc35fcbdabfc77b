package dev.muster.mesh.hier;

import java.lang.foreign.MemorySegment;

/// A part of a buffer, remembered: callers use the same buffers again and again, and cutting the part
/// out anew would leave garbage at each call. Confined to one thread.
final class Window {
    private MemorySegment whole = MemorySegment.NULL;
    private MemorySegment part = MemorySegment.NULL;
    private long from;

    MemorySegment of(MemorySegment buffer, long offset, long bytes) {
        // Equal segments lie at the same place, but memory may have been freed and given out again.
        boolean known = buffer.equals(whole)
                && buffer.scope().equals(whole.scope())
                && from == offset
                && part.byteSize() == bytes;
        if (!known) {
            whole = buffer;
            part = buffer.asSlice(offset, bytes);
            from = offset;
        }
        return part;
    }
}
