package dev.muster.mesh.nccl;

import dev.muster.mesh.collective.MeshError;
import dev.muster.mesh.collective.MeshException;
import dev.muster.mesh.foreign.NativeFunction;
import dev.muster.mesh.foreign.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;

/// NCCL, linked. Immutable; for any thread to which the device is bound.
final class NcclLibrary {
    static final int SUCCESS = 0;
    static final int SYSTEM_ERROR = 2;
    static final int REMOTE_ERROR = 6;
    static final int IN_PROGRESS = 7;
    static final int ID_BYTES = 128;

    /// The first that begins without blocking: 2.14.
    private static final int OLDEST = 21400;

    private static final MemoryLayout ID =
            MemoryLayout.structLayout(MemoryLayout.sequenceLayout(ID_BYTES, ValueLayout.JAVA_BYTE));
    private static final FunctionDescriptor INIT = FunctionDescriptor.of(
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_INT,
            ID,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_LONG);
    private static final FunctionDescriptor TEXT = FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

    private final NativeLibrary library;
    private final int version;
    private final MethodHandle init;
    private final MethodHandle errorString;
    final NativeFunction finish;
    final NativeFunction destroy;
    final NativeFunction abort;
    final NativeFunction asyncError;
    final NativeFunction groupStart;
    final NativeFunction groupEnd;
    final NativeFunction allReduce;
    final NativeFunction reduce;
    final NativeFunction reduceScatter;
    final NativeFunction allGather;
    final NativeFunction broadcast;
    final NativeFunction send;
    final NativeFunction receive;

    private NcclLibrary(NativeLibrary library, int version) {
        this.library = library;
        this.version = version;
        this.init = library.link("ncclCommInitRankConfig", INIT);
        this.errorString = library.link("ncclGetErrorString", TEXT);
        this.finish = library.function("ncclCommFinalize", 1);
        this.destroy = library.function("ncclCommDestroy", 1);
        this.abort = library.function("ncclCommAbort", 1);
        this.asyncError = library.function("ncclCommGetAsyncError", 2);
        this.groupStart = library.function("ncclGroupStart", 0);
        this.groupEnd = library.function("ncclGroupEnd", 0);
        this.allReduce = library.function("ncclAllReduce", 7);
        this.reduce = library.function("ncclReduce", 8);
        this.reduceScatter = library.function("ncclReduceScatter", 7);
        this.allGather = library.function("ncclAllGather", 6);
        this.broadcast = library.function("ncclBroadcast", 7);
        this.send = library.function("ncclSend", 6);
        this.receive = library.function("ncclRecv", 6);
    }

    /// Loads a library.
    ///
    /// @throws MeshException if it is not there or too old
    static NcclLibrary load(List<String> names, String advice) {
        NativeLibrary library = NativeLibrary.load(names, advice);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(ValueLayout.JAVA_INT);
            int status = library.function("ncclGetVersion", 1).call(answer.address());
            int version = answer.get(ValueLayout.JAVA_INT, 0);
            if (status != SUCCESS || version < OLDEST) {
                throw new MeshException(
                        MeshError.UNAVAILABLE,
                        library.name() + " is not available, because it is version " + text(version)
                                + " and 2.14 or newer is needed; install a newer one");
            }
            return new NcclLibrary(library, version);
        }
    }

    private static String text(int version) {
        return version / 10_000 + "." + version / 100 % 100 + "." + version % 100;
    }

    /// Its version, such as `2.28.3`.
    String version() {
        return text(version);
    }

    boolean canSplit() {
        return library.has("ncclCommSplit");
    }

    /// What all members of a communicator show to be of it; the first makes it.
    byte[] makeId() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(ID);
            requireSuccess(
                    "ncclGetUniqueId", library.function("ncclGetUniqueId", 1).call(id.address()));
            return id.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /// Begins to join a communicator; whoever calls polls until it is ready.
    ///
    /// @return its handle
    long begin(byte[] id, int ranks, int rank) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment value = arena.allocate(ID).copyFrom(MemorySegment.ofArray(id));
            long config = NcclConfig.nonBlocking(arena).address();
            int status = (int) init.invokeExact(handle.address(), ranks, value, rank, config);
            requireBegun("ncclCommInitRankConfig", status);
            return handle.get(ValueLayout.JAVA_LONG, 0);
        } catch (Throwable e) {
            throw NativeFunction.broken(e);
        }
    }

    /// Begins to divide a communicator; the parent says when it is done.
    ///
    /// @param colour of those that stay together; negative for a member that joins no part
    /// @param handle eight bytes for the handle of the part, which are valid when it is done
    void split(long parent, int colour, int key, MemorySegment handle) {
        long none = 0; // the part is as non-blocking as its parent
        int status =
                library.function("ncclCommSplit", 5).call(parent, Math.max(colour, -1), key, handle.address(), none);
        requireBegun("ncclCommSplit", status);
    }

    private void requireBegun(String function, int status) {
        if (status != IN_PROGRESS) {
            requireSuccess(function, status);
        }
    }

    void requireSuccess(String function, int status) {
        if (status != SUCCESS) {
            throw new MeshException(errorOf(status), function + " said " + errorText(status));
        }
    }

    /// A member that is lost shows as an error of a connection, here or at another member.
    static MeshError errorOf(int status) {
        return status == SYSTEM_ERROR || status == REMOTE_ERROR ? MeshError.PEER_LOST : MeshError.ABORTED;
    }

    String errorText(int status) {
        try {
            return "'" + NativeLibrary.text((long) errorString.invokeExact((long) status)) + "' (" + status + ")";
        } catch (Throwable e) {
            throw NativeFunction.broken(e);
        }
    }
}
