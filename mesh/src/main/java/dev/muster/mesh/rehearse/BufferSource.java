// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.rehearse;

import dev.muster.mesh.collective.EngineProvider;
import dev.muster.mesh.cuda.DeviceBuffer;
import dev.muster.mesh.cuda.GpuDevice;
import dev.muster.mesh.cuda.GpuRuntime;
import dev.muster.mesh.session.Backends;
import dev.muster.mesh.session.MeshSession;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// The buffers of calls, in the memory of the host, or of the rank's device where the backend is for
/// devices. The caller that opened it closes it, which frees all of them.
sealed interface BufferSource extends AutoCloseable {
    /// Takes so many bytes, which read as zeros.
    MemorySegment allocate(long bytes);

    @Override
    void close();

    /// Opens one for a rank.
    ///
    /// @param backend the one that was asked for
    static BufferSource open(MeshSession session, String backend) {
        if (Backends.find(backend).filter(EngineProvider::isForDevices).isEmpty()) {
            return new OfHost(Arena.ofShared());
        }
        GpuRuntime runtime = backend.equals("rccl") ? GpuRuntime.HIP : GpuRuntime.CUDA;
        return new OfDevice(runtime.deviceOfRank(session.localRank()), new ArrayList<>());
    }

    /// Memory of the host. Shared: calls that are hidden run on threads of their groups.
    record OfHost(Arena arena) implements BufferSource {
        private static final int PAGE = 4_096;

        @Override
        public MemorySegment allocate(long bytes) {
            return arena.allocate(bytes, PAGE);
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    /// Memory of a device.
    record OfDevice(GpuDevice device, List<DeviceBuffer> taken) implements BufferSource {
        @Override
        public MemorySegment allocate(long bytes) {
            DeviceBuffer buffer = device.allocate(bytes);
            taken.add(buffer);
            buffer.fill((byte) 0);
            return buffer.segment();
        }

        @Override
        public void close() {
            taken.forEach(DeviceBuffer::close);
        }
    }
}
