// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.foreign;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;

/// A native function of integers and pointers. Calls of up to eight arguments leave no garbage. Immutable; for any
/// thread of the platform.
///
/// All are called through one shape, eight 64-bit integers: by the calling conventions of Linux on x86-64 and
/// AArch64 a function looks neither at the upper half of a 32-bit argument nor at arguments beyond its own. One
/// shape is linked once, which keeps a first call cheap (docs/decisions/0006), and it is a constant, which the
/// compiler needs in order to call without detour.
public record NativeFunction(long address) {
    private static final int WORDS = 8;
    private static final boolean COMPILED = CompiledCalls.areLoaded();

    /// Calls it with up to eight arguments; those beyond its own count for nothing.
    ///
    /// @return its status, or what stands in the place of one
    public int call(long a, long b, long c, long d, long e, long f, long g, long h) {
        if (COMPILED) {
            return (int) CompiledCalls.call(address, a, b, c, d, e, f, g, h);
        }
        try {
            return (int) Status.SHAPE.invokeExact(symbol(), a, b, c, d, e, f, g, h);
        } catch (Throwable thrown) {
            throw broken(thrown);
        }
    }

    /// Calls it with up to six arguments.
    public int call(long a, long b, long c, long d, long e, long f) {
        return call(a, b, c, d, e, f, 0, 0);
    }

    /// Calls it with up to four arguments.
    public int call(long a, long b, long c, long d) {
        return call(a, b, c, d, 0, 0, 0, 0);
    }

    /// Calls it with up to two arguments.
    public int call(long a, long b) {
        return call(a, b, 0, 0, 0, 0, 0, 0);
    }

    /// Calls it with at most one argument.
    public int call(long a) {
        return call(a, 0, 0, 0, 0, 0, 0, 0);
    }

    /// Calls a function that returns a pointer, with up to eight arguments.
    public long callForAddress(long a, long b, long c, long d, long e, long f, long g, long h) {
        if (COMPILED) {
            return CompiledCalls.call(address, a, b, c, d, e, f, g, h);
        }
        try {
            return (long) Address.SHAPE.invokeExact(symbol(), a, b, c, d, e, f, g, h);
        } catch (Throwable thrown) {
            throw broken(thrown);
        }
    }

    /// Calls it with any number of arguments; for calls that may take their time.
    public int callWith(long... arguments) {
        if (arguments.length > WORDS) {
            try {
                return (int) shape(ValueLayout.JAVA_INT, arguments.length)
                        .bindTo(symbol())
                        .asSpreader(long[].class, arguments.length)
                        .invokeExact(arguments);
            } catch (Throwable thrown) {
                throw broken(thrown);
            }
        }
        long[] words = Arrays.copyOf(arguments, WORDS);
        return call(words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7]);
    }

    private MemorySegment symbol() {
        return MemorySegment.ofAddress(address);
    }

    /// The exception for a failed call: only errors of the virtual machine are thrown there.
    public static RuntimeException broken(Throwable thrown) {
        if (thrown instanceof RuntimeException known) {
            return known;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a native call threw", thrown);
    }

    @SuppressWarnings("restricted") // callers see numbers only
    private static MethodHandle shape(MemoryLayout result, int words) {
        MemoryLayout[] arguments = new MemoryLayout[words];
        for (int i = 0; i < words; i++) {
            arguments[i] = ValueLayout.JAVA_LONG;
        }
        FunctionDescriptor function = FunctionDescriptor.of(result, arguments);
        try {
            return Linker.nativeLinker().downcallHandle(function);
        } catch (IllegalCallerException e) {
            // The caller gets the error, not the first thread that finds a class that cannot be initialised.
            MethodType called = function.toMethodType().insertParameterTypes(0, MemorySegment.class);
            MethodHandle refusal = MethodHandles.throwException(called.returnType(), IllegalStateException.class)
                    .bindTo(denied(e));
            return MethodHandles.dropArguments(refusal, 0, called.parameterList());
        }
    }

    /// The user of this Java allows no native code.
    static IllegalStateException denied(IllegalCallerException cause) {
        return new IllegalStateException(
                "this Java was told to allow no native code; start it with --enable-native-access=ALL-UNNAMED", cause);
    }

    /// Linked when first used, by whichever thread comes first.
    private static final class Status {
        private static final MethodHandle SHAPE = shape(ValueLayout.JAVA_INT, WORDS);
    }

    private static final class Address {
        private static final MethodHandle SHAPE = shape(ValueLayout.JAVA_LONG, WORDS);
    }
}
