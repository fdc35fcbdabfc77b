package dev.muster.mesh.tcp;

import java.nio.ByteBuffer;

/// What stands before each message: whose mesh it is of, what its sender calls, and how long it is. The length is
/// compared with what is awaited and never believed.
final class FrameHead {
    static final int BYTES = 40;
    private static final long MAGIC = 0x4d55_5354_4652_0001L;

    private FrameHead() {}

    static void write(ByteBuffer buffer, long incarnation, long what, long howMuch, long bytes) {
        buffer.putLong(MAGIC)
                .putLong(incarnation)
                .putLong(what)
                .putLong(howMuch)
                .putLong(bytes);
    }

    static boolean isOurs(ByteBuffer buffer, long incarnation) {
        return buffer.getLong(buffer.position()) == MAGIC && buffer.getLong(buffer.position() + 8) == incarnation;
    }

    static long what(ByteBuffer buffer) {
        return buffer.getLong(buffer.position() + 16);
    }

    static long howMuch(ByteBuffer buffer) {
        return buffer.getLong(buffer.position() + 24);
    }

    static long bytes(ByteBuffer buffer) {
        return buffer.getLong(buffer.position() + 32);
    }
}
