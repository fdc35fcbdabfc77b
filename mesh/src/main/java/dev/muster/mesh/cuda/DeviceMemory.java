// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Segments of memory that the host cannot reach. They belong to a thread that has ended: reading or
/// writing one is an exception on every thread, where it would otherwise end the whole process.
final class DeviceMemory {
    private static final long START_SECONDS = 60;
    /// All addresses there are.
    private static final MemorySegment OUT_OF_REACH = outOfReach();

    private DeviceMemory() {}

    private static MemorySegment outOfReach() {
        FutureTask<MemorySegment> all = new FutureTask<>(new Owner());
        Thread.ofPlatform().daemon().name("muster-device-memory").start(all);
        try {
            return all.get(START_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the first device was opened", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("no thread could be started", e);
        }
    }

    /// No lambda of the class around it: its thread would wait for that class, which waits for the
    /// thread.
    private static final class Owner implements Callable<MemorySegment> {
        @Override
        @SuppressWarnings("restricted") // it cannot be read or written
        public MemorySegment call() {
            return MemorySegment.NULL.reinterpret(Long.MAX_VALUE, Arena.ofConfined(), null);
        }
    }

    static MemorySegment segment(long address, long bytes) {
        return OUT_OF_REACH.asSlice(address, bytes);
    }

    /// Reports whether a segment is memory of a device, or was.
    static boolean isOnDevice(MemorySegment segment) {
        return segment.scope().equals(OUT_OF_REACH.scope());
    }
}
