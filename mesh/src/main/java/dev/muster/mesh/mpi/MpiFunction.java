package dev.muster.mesh.mpi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Collections;

/// A function of a library of MPI.
///
/// Every function takes integers, pointers and handles, which are one or the other by library, and
/// returns a status. All are called with eight 64-bit integers: by the calling conventions of x86-64 and
/// AArch64 a function looks neither at the upper half of a 32-bit argument nor at arguments beyond its
/// own (docs/decisions/0006). So one binding serves every library, and its shape can be a constant,
/// which the compiler needs in order to call without detour.
final class MpiFunction {
    private static final int SUCCESS = 0;
    private static final int ARGUMENTS = 8;
    private static final MethodHandle SHAPE = shape();

    private final MpiLibrary library;
    private final String name;
    private final MemorySegment symbol;

    MpiFunction(MpiLibrary library, String name, MemorySegment symbol) {
        this.library = library;
        this.name = name;
        this.symbol = symbol;
    }

    @SuppressWarnings("restricted") // callers see numbers only
    private static MethodHandle shape() {
        MemoryLayout[] words =
                Collections.nCopies(ARGUMENTS, ValueLayout.JAVA_LONG).toArray(MemoryLayout[]::new);
        return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(ValueLayout.JAVA_INT, words));
    }

    /// Calls it with as many arguments as it has; those beyond them count for nothing.
    ///
    /// @throws MpiException if it returns an error
    void call(long a, long b, long c, long d, long e, long f, long g, long h) {
        int status = status(a, b, c, d, e, f, g, h);
        if (status != SUCCESS) {
            throw new MpiException(name + " failed: " + library.errorText(status));
        }
    }

    /// The same with the status as it is.
    private int status(long a, long b, long c, long d, long e, long f, long g, long h) {
        try {
            return (int) SHAPE.invokeExact(symbol, a, b, c, d, e, f, g, h);
        } catch (RuntimeException | Error known) {
            throw known;
        } catch (Throwable unknown) {
            throw new IllegalStateException("a native call threw", unknown);
        }
    }

    /// Whether it succeeds; for functions whose failure is no news.
    boolean succeeds(long a, long b, long c) {
        return status(a, b, c, 0, 0, 0, 0, 0) == SUCCESS;
    }

    void call(long a) {
        call(a, 0, 0, 0, 0, 0, 0, 0);
    }

    void call(long a, long b) {
        call(a, b, 0, 0, 0, 0, 0, 0);
    }

    void call(long a, long b, long c) {
        call(a, b, c, 0, 0, 0, 0, 0);
    }

    void call(long a, long b, long c, long d) {
        call(a, b, c, d, 0, 0, 0, 0);
    }

    void call(long a, long b, long c, long d, long e) {
        call(a, b, c, d, e, 0, 0, 0);
    }

    void call(long a, long b, long c, long d, long e, long f) {
        call(a, b, c, d, e, f, 0, 0);
    }

    void call(long a, long b, long c, long d, long e, long f, long g) {
        call(a, b, c, d, e, f, g, 0);
    }
}
