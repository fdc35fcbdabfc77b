// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.gloo;

import dev.muster.core.foreign.NativeFunction;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.gloo.GlooLibrary.GlooFault;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Gloo's connections between the members of a group. Operations are for one thread at a time;
/// [#stop(GroupException)] and [#close()] are for any.
final class NativeGroup implements AutoCloseable {
    private final GlooLibrary library;
    private final long handle;
    private final int ranks;
    /// Held by the call that is under way: what it uses may not be freed.
    private final ReentrantLock use = new ReentrantLock();
    private final Object gate = new Object();
    private volatile @Nullable GroupException stopped;
    private boolean freed;

    NativeGroup(GlooLibrary library, long handle, int ranks) {
        this.library = library;
        this.handle = handle;
        this.ranks = ranks;
    }

    /// Begins a call, which [#leave()] must end.
    ///
    /// @throws GroupException if the group was stopped
    void enter() {
        use.lock();
        try {
            throwIfStopped();
        } catch (GroupException e) {
            use.unlock();
            throw e;
        }
    }

    void leave() {
        use.unlock();
    }

    /// Carries out an operation.
    ///
    /// @throws GlooFault if that fails
    void run(Operation operation, CallBlock call, MemorySegment input, MemorySegment output) {
        NativeFunction function = library.operation(operation);
        if (function.call(handle, call.memory().address(), input.address(), output.address()) != 0) {
            throw new GlooFault(library.message());
        }
    }

    /// The members whose connections are broken, after a failure.
    int[] lost() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment found = arena.allocate(ValueLayout.JAVA_INT, ranks);
            int count = library.lost.call(handle, 0, found.address(), 0);
            return found.asSlice(0, (long) count * Integer.BYTES).toArray(ValueLayout.JAVA_INT);
        }
    }

    void throwIfStopped() {
        GroupException reason = stopped;
        if (reason != null) {
            throw reason;
        }
    }

    /// Ends what is under way, with that reason, and breaks the connections. Does not wait.
    void stop(GroupException reason) {
        synchronized (gate) {
            if (stopped == null) {
                stopped = reason;
            }
            if (!freed) {
                library.abort(handle);
            }
        }
    }

    /// Frees the connections when the call under way has ended, which it must have been told to.
    @Override
    public void close() {
        use.lock();
        try {
            synchronized (gate) {
                if (!freed) {
                    freed = true;
                    library.close(handle);
                }
            }
        } finally {
            use.unlock();
        }
    }
}
