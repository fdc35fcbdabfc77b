package dev.muster.plan.checkpoint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Numbers out of byte arrays, least significant byte first.
final class LittleEndian {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    static long getLong(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }
}
