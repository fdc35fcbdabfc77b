// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.gloo;

import dev.muster.core.foreign.NativeLibrary;
import dev.muster.mesh.store.Store;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The store as Gloo calls it while members connect. Gloo gets codes, since an exception must not cross into it; what
/// went wrong is kept. Confined to the thread that connects.
final class StoreCallbacks {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    private final Store store;
    private final long deadline;
    private @Nullable RuntimeException failure;

    /// @param store for the keys of this group alone
    /// @param deadline by [System#nanoTime()]
    StoreCallbacks(Store store, long deadline) {
        this.store = store;
        this.deadline = deadline;
    }

    /// Returns the last exception of the store.
    @Nullable
    RuntimeException failure() {
        return failure;
    }

    MemorySegment setter(Arena arena) {
        return stub(arena, "set", FunctionDescriptor.of(INT, ValueLayout.ADDRESS, LONG, ValueLayout.ADDRESS, LONG));
    }

    MemorySegment getter(Arena arena) {
        return stub(arena, "get", FunctionDescriptor.of(LONG, ValueLayout.ADDRESS, LONG, ValueLayout.ADDRESS, LONG));
    }

    MemorySegment waiter(Arena arena) {
        return stub(arena, "await", FunctionDescriptor.of(INT, ValueLayout.ADDRESS, LONG));
    }

    /// Lives no longer than the one call that uses it.
    private MemorySegment stub(Arena arena, String method, FunctionDescriptor shape) {
        try {
            MethodType type = shape.toMethodType();
            MethodHandle target = MethodHandles.lookup().findVirtual(StoreCallbacks.class, method, type);
            return NativeLibrary.upcall(target.bindTo(this), shape, arena);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no method " + method, e);
        }
    }

    @SuppressWarnings("unused") // Gloo calls it
    private int set(MemorySegment key, long keyBytes, MemorySegment value, long valueBytes) {
        return (int) guarded(1, () -> {
            store.set(text(key, keyBytes), bytes(value, valueBytes));
            return 0;
        });
    }

    @SuppressWarnings("unused") // Gloo calls it, and says how much room there is
    private long get(MemorySegment key, long keyBytes, MemorySegment room, long roomBytes) {
        return guarded(-1, () -> {
            byte[] value = store.await(text(key, keyBytes), left());
            if (value.length <= roomBytes) {
                MemorySegment there = NativeLibrary.memory(room.address(), roomBytes);
                MemorySegment.copy(value, 0, there, ValueLayout.JAVA_BYTE, 0, value.length);
            }
            return value.length;
        });
    }

    @SuppressWarnings("unused") // Gloo calls it
    private int await(MemorySegment key, long keyBytes) {
        return (int) guarded(1, () -> {
            store.await(text(key, keyBytes), left());
            return 0;
        });
    }

    private long guarded(long failed, LongSupplier call) {
        try {
            return call.getAsLong();
        } catch (RuntimeException e) {
            failure = e;
            return failed;
        }
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime()));
    }

    private static String text(MemorySegment place, long length) {
        return new String(bytes(place, length), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(MemorySegment place, long length) {
        return NativeLibrary.memory(place.address(), length).toArray(ValueLayout.JAVA_BYTE);
    }
}
