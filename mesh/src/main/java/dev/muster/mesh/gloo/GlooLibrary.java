package dev.muster.mesh.gloo;

import dev.muster.mesh.collective.MeshError;
import dev.muster.mesh.collective.MeshException;
import dev.muster.mesh.foreign.JvmSignals;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// The library between Java and Gloo, as far as calling it goes; its functions are described where it is written, in
/// `mesh/src/main/native/gloo/muster_gloo.cc`. Immutable; stays loaded.
final class GlooLibrary {
    /// The library as the system finds it where no path is given.
    static final String NAME = "libmuster_gloo.so";

    /// What the sources of this Java fit.
    private static final int ABI = 1;

    private static final String GLOO = "libgloo.so.0";
    private static final long LONGEST_MESSAGE = 4096;

    final MemorySegment barrier;
    final MemorySegment allReduce;
    final MemorySegment reduce;
    final MemorySegment broadcast;
    final MemorySegment allGather;
    final MemorySegment gather;
    final MemorySegment scatter;
    final MemorySegment allToAll;
    final MemorySegment exchange;
    final MemorySegment lost;
    private final MemorySegment open;
    private final MemorySegment abort;
    private final MemorySegment close;
    private final MemorySegment message;

    private GlooLibrary(SymbolLookup symbols) {
        this.barrier = symbols.findOrThrow("muster_gloo_barrier");
        this.allReduce = symbols.findOrThrow("muster_gloo_all_reduce");
        this.reduce = symbols.findOrThrow("muster_gloo_reduce");
        this.broadcast = symbols.findOrThrow("muster_gloo_broadcast");
        this.allGather = symbols.findOrThrow("muster_gloo_all_gather");
        this.gather = symbols.findOrThrow("muster_gloo_gather");
        this.scatter = symbols.findOrThrow("muster_gloo_scatter");
        this.allToAll = symbols.findOrThrow("muster_gloo_all_to_all");
        this.exchange = symbols.findOrThrow("muster_gloo_exchange");
        this.lost = symbols.findOrThrow("muster_gloo_lost");
        this.open = symbols.findOrThrow("muster_gloo_open");
        this.abort = symbols.findOrThrow("muster_gloo_abort");
        this.close = symbols.findOrThrow("muster_gloo_close");
        this.message = symbols.findOrThrow("muster_gloo_failure");
    }

    /// Loads the library.
    ///
    /// @param file a path, or a name that the system looks for
    /// @throws MeshException `unavailable` if it is not there, cannot be loaded or does not fit this Java
    static GlooLibrary load(String file) {
        try {
            SymbolLookup symbols = look(file);
            int abi = (int) Shapes.NUMBER.invokeExact(symbols.findOrThrow("muster_gloo_abi"));
            if (abi != ABI) {
                throw unavailable(file + " was built from other sources than this Muster");
            }
            return new GlooLibrary(symbols);
        } catch (IllegalArgumentException e) {
            throw unavailable(
                    isThere(GLOO)
                            ? file + " is not there or cannot be loaded"
                            : GLOO + " cannot be loaded (Debian: apt-get install libgloo0)");
        } catch (java.util.NoSuchElementException e) {
            throw unavailable(file + " lacks a function: " + e.getMessage());
        } catch (Throwable e) {
            throw passedOn(e);
        }
    }

    private static MeshException unavailable(String reason) {
        return new MeshException(
                MeshError.UNAVAILABLE,
                "the engine gloo is not available, because " + reason
                        + "; build it with scripts/build-gloo-shim and set MUSTER_GLOO_SHIM to the file");
    }

    @SuppressWarnings("restricted") // the one place that may: callers see codes and sentences only
    private static SymbolLookup look(String file) {
        JvmSignals.keep();
        try {
            return file.contains("/")
                    ? SymbolLookup.libraryLookup(Path.of(file), Arena.global())
                    : SymbolLookup.libraryLookup(file, Arena.global());
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(e.getReason(), e);
        }
    }

    private static boolean isThere(String name) {
        try {
            look(name);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /// Calls one of the functions that carry out operations.
    ///
    /// @return its code; zero if it was done
    int operate(MemorySegment function, MemorySegment handle, MemorySegment call, MemorySegment in, MemorySegment out) {
        try {
            return (int) Shapes.OPERATION.invokeExact(function, handle, call, in, out);
        } catch (Throwable e) {
            throw passedOn(e);
        }
    }

    /// Connects a member with all others.
    ///
    /// @return the handle
    /// @throws GlooFault if that fails
    MemorySegment open(String address, int rank, int ranks, long millis, StoreUpcalls store) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = (MemorySegment) Shapes.OPEN.invokeExact(
                    open,
                    arena.allocateFrom(address),
                    rank,
                    ranks,
                    millis,
                    store.setter(arena),
                    store.getter(arena),
                    store.waiter(arena));
            if (handle.address() == 0) {
                throw new GlooFault(message());
            }
            return handle;
        } catch (Throwable e) {
            throw passedOn(e);
        }
    }

    void abort(MemorySegment handle) {
        end(abort, handle);
    }

    void close(MemorySegment handle) {
        end(close, handle);
    }

    private static void end(MemorySegment function, MemorySegment handle) {
        try {
            Shapes.END.invokeExact(function, handle);
        } catch (Throwable e) {
            throw passedOn(e);
        }
    }

    /// What went wrong in the last call of this thread.
    @SuppressWarnings("restricted") // the library's own text, which ends with a zero
    String message() {
        try {
            MemorySegment text = (MemorySegment) Shapes.TEXT.invokeExact(message);
            return text.reinterpret(LONGEST_MESSAGE).getString(0);
        } catch (Throwable e) {
            throw passedOn(e);
        }
    }

    private static RuntimeException passedOn(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException known ? known : new IllegalStateException("a native call threw", e);
    }

    /// Linked when first used. All operations have one shape, so that there is little to link.
    private static final class Shapes {
        private static final MemoryLayout PLACE = ValueLayout.ADDRESS;
        private static final MethodHandle OPERATION =
                link(FunctionDescriptor.of(ValueLayout.JAVA_INT, PLACE, PLACE, PLACE, PLACE));
        private static final MethodHandle OPEN = link(FunctionDescriptor.of(
                PLACE, PLACE, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, PLACE, PLACE, PLACE));
        private static final MethodHandle END = link(FunctionDescriptor.ofVoid(PLACE));
        private static final MethodHandle NUMBER = link(FunctionDescriptor.of(ValueLayout.JAVA_INT));
        private static final MethodHandle TEXT = link(FunctionDescriptor.of(PLACE));

        @SuppressWarnings("restricted") // see above
        private static MethodHandle link(FunctionDescriptor shape) {
            return Linker.nativeLinker().downcallHandle(shape);
        }
    }
}
