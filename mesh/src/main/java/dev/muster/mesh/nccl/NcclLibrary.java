package dev.muster.mesh.nccl;

import dev.muster.core.foreign.NativeFunction;
import dev.muster.core.foreign.NativeLibrary;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.Code;
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

    private final NativeLibrary library;
    private final int version;
    private final MethodHandle init;
    private final NativeFunction errorString;
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
        this.errorString = library.require("ncclGetErrorString");
        this.finish = library.require("ncclCommFinalize");
        this.destroy = library.require("ncclCommDestroy");
        this.abort = library.require("ncclCommAbort");
        this.asyncError = library.require("ncclCommGetAsyncError");
        this.groupStart = library.require("ncclGroupStart");
        this.groupEnd = library.require("ncclGroupEnd");
        this.allReduce = library.require("ncclAllReduce");
        this.reduce = library.require("ncclReduce");
        this.reduceScatter = library.require("ncclReduceScatter");
        this.allGather = library.require("ncclAllGather");
        this.broadcast = library.require("ncclBroadcast");
        this.send = library.require("ncclSend");
        this.receive = library.require("ncclRecv");
    }

    /// Loads a library.
    ///
    /// @throws GroupException if it is not there or too old
    static NcclLibrary load(List<String> names, String advice) {
        NativeLibrary library =
                NativeLibrary.load(names, reason -> new GroupException(Code.UNAVAILABLE, reason + "; " + advice));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(ValueLayout.JAVA_INT);
            int status = library.require("ncclGetVersion").call(answer.address());
            int version = answer.get(ValueLayout.JAVA_INT, 0);
            if (status != SUCCESS || version < OLDEST) {
                throw new GroupException(
                        Code.UNAVAILABLE,
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
            requireSuccess("ncclGetUniqueId", library.require("ncclGetUniqueId").call(id.address()));
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
                library.require("ncclCommSplit").call(parent, Math.max(colour, -1), key, handle.address(), none, 0);
        requireBegun("ncclCommSplit", status);
    }

    private void requireBegun(String function, int status) {
        if (status != IN_PROGRESS) {
            requireSuccess(function, status);
        }
    }

    void requireSuccess(String function, int status) {
        if (status != SUCCESS) {
            throw new GroupException(errorOf(status), function + " said " + errorText(status));
        }
    }

    /// A member that is lost shows as an error of a connection, here or at another member.
    static Code errorOf(int status) {
        return status == SYSTEM_ERROR || status == REMOTE_ERROR ? Code.PEER_LOST : Code.ABORTED;
    }

    String errorText(int status) {
        long text = errorString.callForAddress(status, 0, 0, 0, 0, 0, 0, 0);
        return "'" + NativeLibrary.text(text) + "' (" + status + ")";
    }
}
