// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Optional;

/// A GPU that this process may use. There is one object for each, and it lives as long as the process.
/// For any thread of the platform; a call makes the device that of its thread.
///
/// @since 0.1
public final class GpuDevice {
    /// True if memory of any device was ever taken. Until then no segment can be such, and groups of processes
    /// without devices do not pay for looking.
    private static volatile boolean used;

    private final GpuLibrary library;
    private final int ordinal;
    private final long entered;
    private final DeviceRanges ranges = new DeviceRanges();

    GpuDevice(GpuLibrary library, int ordinal, long entered) {
        this.library = library;
        this.ordinal = ordinal;
        this.entered = entered;
    }

    GpuLibrary library() {
        return library;
    }

    DeviceRanges ranges() {
        return ranges;
    }

    /// Returns the library that the device is used with.
    public GpuRuntime runtime() {
        return library.runtime();
    }

    /// Its number among the devices that this process may use.
    public int ordinal() {
        return ordinal;
    }

    /// Makes it the device of the calling thread, as vendors' libraries want it.
    public void bind() {
        library.bind(entered);
    }

    /// Takes memory of the device. Its content is what was there before.
    ///
    /// @param bytes at least one
    /// @throws dev.muster.mesh.collective.GroupException if there is not so much
    public DeviceBuffer allocate(long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("a buffer has at least one byte: " + bytes);
        }
        bind();
        used = true;
        return new DeviceBuffer(this, library.ask(GpuFunction.ALLOCATE, bytes), bytes);
    }

    /// Takes memory of the host that the device reads and writes by itself: copies to and from it are
    /// the fastest. It is given back when the arena is closed.
    @SuppressWarnings("restricted") // the driver says that so many bytes are there
    public MemorySegment allocatePinned(long bytes, Arena arena) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("pinned memory has at least one byte: " + bytes);
        }
        bind();
        long address = library.ask(GpuFunction.ALLOCATE_HOST, bytes, 0);
        return MemorySegment.ofAddress(address).reinterpret(bytes, arena, this::freePinned);
    }

    private void freePinned(MemorySegment memory) {
        bind();
        library.call(GpuFunction.FREE_HOST, memory.address());
    }

    /// Opens a stream of its own.
    public GpuStream openStream() {
        bind();
        return GpuStream.open(library);
    }

    /// Reports whether a segment is memory of some device, or was.
    public static boolean isOnDevice(MemorySegment segment) {
        return used && DeviceMemory.isOnDevice(segment);
    }

    /// The device that all of a segment lies on, if it has not been given back.
    public static Optional<GpuDevice> find(MemorySegment segment) {
        return isOnDevice(segment)
                ? GpuRuntime.devices().filter(device -> device.holds(segment)).findFirst()
                : Optional.empty();
    }

    /// Reports whether all of a segment is memory of this device that has not been given back.
    public boolean holds(MemorySegment segment) {
        return DeviceMemory.isOnDevice(segment) && ranges.holds(segment.address(), segment.byteSize());
    }

    @Override
    public String toString() {
        return library.runtime().name().toLowerCase(Locale.ROOT) + ":" + ordinal;
    }

    /// Work that a device does in order. For one thread at a time, to which its device is bound; the caller that
    /// opened it closes it.
    public static final class GpuStream implements AutoCloseable {
        /// Waits for no other stream.
        private static final long NON_BLOCKING = 1;

        private final GpuLibrary library;
        private final long handle;
        private boolean closed;

        private GpuStream(GpuLibrary library, long handle) {
            this.library = library;
            this.handle = handle;
        }

        static GpuStream open(GpuLibrary library) {
            return new GpuStream(library, library.ask(GpuFunction.CREATE_STREAM, NON_BLOCKING));
        }

        /// Returns the handle by which the vendor's libraries know it.
        public long handle() {
            return handle;
        }

        /// Reports whether all that it was given is done.
        ///
        /// @throws dev.muster.mesh.collective.GroupException if some of it failed
        public boolean isIdle() {
            int status = library.queryStream(handle);
            if (status != GpuLibrary.SUCCESS && status != GpuLibrary.NOT_READY) {
                throw library.failure("the work of a stream", status);
            }
            return status == GpuLibrary.SUCCESS;
        }

        /// Waits until all that it was given is done.
        void await() {
            library.call(GpuFunction.AWAIT_STREAM, handle);
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                library.call(GpuFunction.DESTROY_STREAM, handle);
            }
        }
    }
}
