// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.nccl;

import dev.muster.core.foreign.NativeFunction;
import dev.muster.core.foreign.NativeLibrary;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
    private final Map<NcclFunction, NativeFunction> functions = new EnumMap<>(NcclFunction.class);

    private NcclLibrary(NativeLibrary library, int version) {
        this.library = library;
        this.version = version;
        this.init = library.link("ncclCommInitRankConfig", INIT);
        for (NcclFunction function : NcclFunction.values()) {
            functions.put(function, library.require(function.symbol));
        }
    }

    /// Loads a library.
    ///
    /// @throws GroupException if it is not there or too old
    static NcclLibrary load(List<String> names, String advice) {
        NativeLibrary library =
                NativeLibrary.load(names, reason -> new GroupException(GroupError.UNAVAILABLE, reason + "; " + advice));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(ValueLayout.JAVA_INT);
            int status = library.require("ncclGetVersion").call(answer.address());
            int version = answer.get(ValueLayout.JAVA_INT, 0);
            if (status != SUCCESS || version < OLDEST) {
                throw new GroupException(
                        GroupError.UNAVAILABLE,
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

    /// Returns the id that all members of a communicator show; the first makes it.
    byte[] makeId() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(ID);
            requireSuccess("ncclGetUniqueId", library.require("ncclGetUniqueId").call(id.address()));
            return id.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /// Begins to join a communicator; the caller polls until it is ready.
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

    /// Calls a function with as many arguments as it has; those beyond them count for nothing.
    ///
    /// @return its status
    int call(NcclFunction function, long a, long b, long c, long d, long e, long f, long g, long h) {
        return Objects.requireNonNull(functions.get(function)).call(a, b, c, d, e, f, g, h);
    }

    /// Calls a function of one argument or two that ends at once.
    void run(NcclFunction function, long a, long b) {
        requireSuccess(function.symbol, call(function, a, b, 0, 0, 0, 0, 0, 0));
    }

    /// Calls a function that may only begin what it is asked to.
    void begin(NcclFunction function, long a, long b, long c, long d, long e, long f, long g, long h) {
        requireBegun(function.symbol, call(function, a, b, c, d, e, f, g, h));
    }

    void requireBegun(String function, int status) {
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
    static GroupError errorOf(int status) {
        return status == SYSTEM_ERROR || status == REMOTE_ERROR ? GroupError.PEER_LOST : GroupError.ABORTED;
    }

    String errorText(int status) {
        long text = library.require("ncclGetErrorString").callForAddress(status, 0, 0, 0, 0, 0, 0, 0);
        return "'" + NativeLibrary.text(text) + "' (" + status + ")";
    }

    /// NCCL's `ncclConfig_t`, which only ever grows at its end: a library takes as many bytes as the
    /// structure says it has, and has its own mind about the rest. Offsets and values are those of the
    /// header of 2.28.3.
    private static final class NcclConfig {
        /// With all fields of 2.28.3.
        private static final int WHOLE_BYTES = 80;
        /// As far as `blocking`, which is all that is set here.
        private static final int USED_BYTES = 24;
        /// The first version with a structure of that size: 2.14. A newer one would promise more fields.
        private static final int VERSION = 21400;

        private static final int MAGIC = 0xcafebeef;
        private static final int UNDEFINED = Integer.MIN_VALUE;
        private static final int MAGIC_AT = 8;
        private static final int VERSION_AT = 12;
        private static final int BLOCKING_AT = 16;
        /// Pointers, of which null is the undefined value.
        private static final int NET_NAME_AT = 32;

        private static final int COMM_NAME_AT = 48;

        private NcclConfig() {}

        /// Calls return at once, and the caller polls.
        static MemorySegment nonBlocking(Arena arena) {
            MemorySegment config = arena.allocate(WHOLE_BYTES, Long.BYTES);
            for (int at = BLOCKING_AT; at < WHOLE_BYTES; at += Integer.BYTES) {
                config.set(ValueLayout.JAVA_INT, at, UNDEFINED);
            }
            config.set(ValueLayout.JAVA_LONG, NET_NAME_AT, 0);
            config.set(ValueLayout.JAVA_LONG, COMM_NAME_AT, 0);
            config.set(ValueLayout.JAVA_LONG, 0, USED_BYTES);
            config.set(ValueLayout.JAVA_INT, MAGIC_AT, MAGIC);
            config.set(ValueLayout.JAVA_INT, VERSION_AT, VERSION);
            config.set(ValueLayout.JAVA_INT, BLOCKING_AT, 0);
            return config;
        }
    }

    /// The functions that every version has, by their names.
    enum NcclFunction {
        FINISH("ncclCommFinalize"),
        DESTROY("ncclCommDestroy"),
        ABORT("ncclCommAbort"),
        ASYNC_ERROR("ncclCommGetAsyncError"),
        GROUP_START("ncclGroupStart"),
        GROUP_END("ncclGroupEnd"),
        ALL_REDUCE("ncclAllReduce"),
        REDUCE("ncclReduce"),
        REDUCE_SCATTER("ncclReduceScatter"),
        ALL_GATHER("ncclAllGather"),
        BROADCAST("ncclBroadcast"),
        SEND("ncclSend"),
        RECEIVE("ncclRecv");

        private final String symbol;

        NcclFunction(String symbol) {
            this.symbol = symbol;
        }
    }
}
