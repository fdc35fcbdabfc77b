// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia.cuda;

import java.util.ArrayDeque;
import java.util.Deque;

/// The resources taken from CUDA: released on closing, the last first, even after a failure. Confined
/// to the thread of its driver.
final class CudaScope implements AutoCloseable {
    private final CudaDriver driver;
    private final Deque<Runnable> releases = new ArrayDeque<>();

    CudaScope(CudaDriver driver) {
        this.driver = driver;
    }

    /// Makes a device's context the one of this thread.
    void enter(int device) {
        long context = driver.ask("cuDevicePrimaryCtxRetain", device);
        onClose(() -> driver.call("cuDevicePrimaryCtxRelease_v2", device));
        driver.call("cuCtxSetCurrent", context);
        onClose(() -> driver.call("cuCtxSetCurrent", 0));
    }

    /// Takes device memory.
    long allocate(long bytes) {
        long memory = driver.ask("cuMemAlloc_v2", bytes);
        onClose(() -> driver.call("cuMemFree_v2", memory));
        return memory;
    }

    /// Takes memory of the host that the device reads and writes by itself.
    long allocateHost(long bytes) {
        long memory = driver.ask("cuMemHostAlloc", bytes, 0);
        onClose(() -> driver.call("cuMemFreeHost", memory));
        return memory;
    }

    long createStream() {
        long stream = driver.ask("cuStreamCreate", 0);
        onClose(() -> driver.call("cuStreamDestroy_v2", stream));
        return stream;
    }

    long createEvent() {
        long event = driver.ask("cuEventCreate", 0);
        onClose(() -> driver.call("cuEventDestroy_v2", event));
        return event;
    }

    void onClose(Runnable release) {
        releases.push(release);
    }

    /// @throws RuntimeException if something could not be given back; all else is
    @Override
    public void close() {
        RuntimeException first = null;
        while (!releases.isEmpty()) {
            try {
                releases.pop().run();
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
