package dev.muster.mesh.nccl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// NCCL's `ncclConfig_t`, which only ever grows at its end: a library takes as many bytes as the
/// structure says it has, and has its own mind about the rest. Offsets and values are those of the
/// header of 2.28.3.
final class NcclConfig {
    /// With all fields of 2.28.3.
    private static final int WHOLE_BYTES = 80;
    /// As far as `blocking`, which is all that is set here.
    private static final int USED_BYTES = 24;
    /// The first version with a structure of that size: 2.14. A newer one would promise more fields.
    private static final int VERSION = 21400;

    private static final int MAGIC = 0xcafebeef;
    private static final int UNDEFINED = Integer.MIN_VALUE;
    private static final int MAGIC_AT = 8;
    private static final int VERSION_AT = 12;
    private static final int BLOCKING_AT = 16;
    /// Pointers, of which null is the undefined value.
    private static final int NET_NAME_AT = 32;

    private static final int COMM_NAME_AT = 48;

    private NcclConfig() {}

    /// Calls return at once, and whoever calls polls.
    static MemorySegment nonBlocking(Arena arena) {
        MemorySegment config = arena.allocate(WHOLE_BYTES, Long.BYTES);
        for (int at = BLOCKING_AT; at < WHOLE_BYTES; at += Integer.BYTES) {
            config.set(ValueLayout.JAVA_INT, at, UNDEFINED);
        }
        config.set(ValueLayout.JAVA_LONG, NET_NAME_AT, 0);
        config.set(ValueLayout.JAVA_LONG, COMM_NAME_AT, 0);
        config.set(ValueLayout.JAVA_LONG, 0, USED_BYTES);
        config.set(ValueLayout.JAVA_INT, MAGIC_AT, MAGIC);
        config.set(ValueLayout.JAVA_INT, VERSION_AT, VERSION);
        config.set(ValueLayout.JAVA_INT, BLOCKING_AT, 0);
        return config;
    }
}
