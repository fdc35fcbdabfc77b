package dev.muster.mesh.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Segments of memory that the host cannot reach. They belong to a thread that has ended: reading or writing one is an
/// exception on every thread, where it would otherwise end the whole process.
final class DeviceMemory {
    private static final long START_SECONDS = 60;
    private static final Arena OUT_OF_REACH = outOfReach();

    private DeviceMemory() {}

    /// The task is no lambda of this class: its thread would wait for the class, which waits for the thread.
    private static Arena outOfReach() {
        FutureTask<Arena> arena = new FutureTask<>(Arena::ofConfined);
        Thread.ofPlatform().daemon().name("muster-device-memory").start(arena);
        try {
            return arena.get(START_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the first device was opened", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("no thread could be started", e);
        }
    }

    @SuppressWarnings("restricted") // nobody can read or write it
    static MemorySegment segment(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes, OUT_OF_REACH, null);
    }

    /// Whether a segment is memory of a device, or was.
    static boolean isOnDevice(MemorySegment segment) {
        return segment.scope().equals(OUT_OF_REACH.scope());
    }
}
