// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.tcp;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Segments as the buffers that sockets take. The last few are kept, so that callers that use the same memory again and
/// again leave no garbage. A buffer has at most 2 GiB: views are of windows. Confined to one thread.
final class BufferViews {
    private static final int KEPT = 8;
    /// The width of a window; a divisor of every larger offset, so that windows are met again.
    private static final long WINDOW_BYTES = 1L << 30;

    private final MemorySegment[] segments = new MemorySegment[KEPT];
    private final long[] windows = new long[KEPT];
    private final ByteBuffer[] views = new ByteBuffer[KEPT];
    private int next;

    BufferViews() {
        Arrays.fill(segments, MemorySegment.NULL);
        Arrays.fill(views, ByteBuffer.allocate(0));
    }

    /// The bytes from an offset on, at most so many, and at most to the end of a window.
    ByteBuffer view(MemorySegment segment, long offset, long bytes) {
        long window = offset / WINDOW_BYTES;
        ByteBuffer view = find(segment, window);
        int start = (int) (offset - window * WINDOW_BYTES);
        int length = (int) Math.min(bytes, view.capacity() - start);
        view.limit(start + length).position(start);
        return view;
    }

    /// Segments are told apart by identity: two may have the same address, one before the other's time.
    @SuppressWarnings("ReferenceEquality")
    private ByteBuffer find(MemorySegment segment, long window) {
        for (int i = 0; i < KEPT; i++) {
            if (windows[i] == window && segments[i] == segment) {
                return views[i];
            }
        }
        long start = window * WINDOW_BYTES;
        ByteBuffer made = segment.asSlice(start, Math.min(WINDOW_BYTES, segment.byteSize() - start))
                .asByteBuffer();
        segments[next] = segment;
        windows[next] = window;
        views[next] = made;
        next = (next + 1) % KEPT;
        return made;
    }
}
