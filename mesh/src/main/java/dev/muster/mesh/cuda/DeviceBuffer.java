// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.cuda;

import dev.muster.mesh.cuda.GpuDevice.GpuStream;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Memory of a device. Copies return when they are done. For any platform thread; the caller that
/// allocated it closes it, when no group uses it any more.
///
/// @since 0.1
public final class DeviceBuffer implements AutoCloseable {
    private final GpuDevice device;
    private final long address;
    private final MemorySegment segment;
    /// Keeps the memory while a copy is under way.
    private final ReentrantLock turn = new ReentrantLock();

    private @Nullable GpuStream stream;
    private boolean closed;

    DeviceBuffer(GpuDevice device, long address, long bytes) {
        this.device = device;
        this.address = address;
        this.segment = DeviceMemory.segment(address, bytes);
        device.ranges().add(address, bytes);
    }

    /// The device that it lies on.
    public GpuDevice device() {
        return device;
    }

    /// Returns the number of bytes in it.
    public long byteSize() {
        return segment.byteSize();
    }

    /// The memory as groups take it; slices of it are taken as well. The host cannot reach it: reading
    /// or writing it in Java is a [WrongThreadException], in any thread.
    ///
    /// @throws IllegalStateException if it is closed
    public MemorySegment segment() {
        turn.lock();
        try {
            requireOpen();
            return segment;
        } finally {
            turn.unlock();
        }
    }

    /// Fills the beginning with what a segment of the host holds.
    public void copyFrom(MemorySegment host) {
        copyFrom(host, 0);
    }

    /// Copies all of a segment of the host here.
    ///
    /// @param offset destination, in bytes
    public void copyFrom(MemorySegment host, long offset) {
        requireHost(host);
        copy(GpuFunction.COPY_TO_DEVICE, offset, host.byteSize(), host, true);
    }

    /// Fills a segment of the host with what the beginning holds.
    public void copyTo(MemorySegment host) {
        copyTo(host, 0);
    }

    /// Fills a segment of the host.
    ///
    /// @param offset source, in bytes
    public void copyTo(MemorySegment host, long offset) {
        requireHost(host);
        if (host.isReadOnly()) {
            throw new IllegalArgumentException("the segment of the host can only be read");
        }
        copy(GpuFunction.COPY_TO_HOST, offset, host.byteSize(), host, false);
    }

    /// Fills the beginning with all that another buffer of the same device holds.
    public void copyFrom(DeviceBuffer other) {
        if (!other.device.equals(device)) {
            throw new IllegalArgumentException(
                    "the other buffer lies on device " + other.device + ", this one on " + device);
        }
        if (other.equals(this)) {
            return;
        }
        // Two threads that copy in opposite directions must not wait for each other.
        DeviceBuffer first = address < other.address ? this : other;
        DeviceBuffer second = first.equals(this) ? other : this;
        first.turn.lock();
        second.turn.lock();
        try {
            copy(GpuFunction.COPY_WITHIN, 0, other.byteSize(), other.segment(), true);
        } finally {
            second.turn.unlock();
            first.turn.unlock();
        }
    }

    /// Sets every byte to the same value.
    public void fill(byte value) {
        turn.lock();
        try {
            GpuStream own = stream();
            long bytes = byteSize();
            device.library().call(GpuFunction.FILL, address, Byte.toUnsignedLong(value), bytes, own.handle());
            own.await();
        } finally {
            turn.unlock();
        }
    }

    private static void requireHost(MemorySegment host) {
        if (!host.isNative() || DeviceMemory.isOnDevice(host)) {
            throw new IllegalArgumentException(
                    "copies go to and from memory of the host outside the Java heap; allocate it with an Arena");
        }
        if (!host.scope().isAlive() || !host.isAccessibleBy(Thread.currentThread())) {
            throw new IllegalStateException("the segment of the host is closed, or is another thread's");
        }
    }

    private void copy(GpuFunction function, long offset, long bytes, MemorySegment other, boolean here) {
        Objects.checkFromIndexSize(offset, bytes, byteSize());
        if (bytes == 0) {
            return;
        }
        turn.lock();
        try {
            GpuStream own = stream();
            long place = address + offset;
            long target = here ? place : other.address();
            long source = here ? other.address() : place;
            device.library().call(function, target, source, bytes, own.handle());
            own.await();
        } finally {
            turn.unlock();
            Reference.reachabilityFence(other);
        }
    }

    /// The stream of this buffer's copies, opened with the first; the device is the thread's afterwards.
    private GpuStream stream() {
        requireOpen();
        GpuStream known = stream;
        if (known != null) {
            device.bind();
            return known;
        }
        GpuStream opened = device.openStream();
        stream = opened;
        return opened;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(
                    "the buffer of " + byteSize() + " bytes on device " + device + " is closed");
        }
    }

    /// Gives the memory back; a second time does nothing.
    @Override
    public void close() {
        turn.lock();
        try {
            if (!closed) {
                closed = true;
                device.ranges().remove(address);
                device.bind();
                device.library().call(GpuFunction.FREE, address);
                if (stream != null) {
                    stream.close();
                }
            }
        } finally {
            turn.unlock();
        }
    }
}
