package dev.muster.plan.checkpoint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Numbers out of byte arrays, least significant byte first.
final class LittleEndian {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    static int getInt(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    static long getLong(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }
}
