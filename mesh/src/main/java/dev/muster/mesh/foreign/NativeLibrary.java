package dev.muster.mesh.foreign;

import dev.muster.mesh.collective.MeshError;
import dev.muster.mesh.collective.MeshException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// A native library that the system's loader finds. It stays loaded, as its own threads may. Immutable;
/// for any thread.
///
/// @since 0.1
public final class NativeLibrary {
    private static final int LONGEST_TEXT = 1024;

    private final String name;
    private final SymbolLookup symbols;

    private NativeLibrary(String name, SymbolLookup symbols) {
        this.name = name;
        this.symbols = symbols;
    }

    /// Loads the first of those libraries that is there.
    ///
    /// @param names plain names, for which the loader looks where it always does, or paths
    /// @param advice what to do where none is there
    /// @throws MeshException if none can be loaded
    @SuppressWarnings("restricted") // the one place that loads; callers see statuses and numbers only
    public static NativeLibrary load(List<String> names, String advice) {
        JvmSignals.keep(); // NCCL may bring UCX along
        for (String name : names) {
            try {
                return new NativeLibrary(name, SymbolLookup.libraryLookup(name, Arena.global()));
            } catch (IllegalArgumentException e) {
                // the next name may be there
            }
        }
        throw new MeshException(
                MeshError.UNAVAILABLE,
                String.join(" or ", names) + " is not available, because the loader does not find it; " + advice);
    }

    /// The name it was found by.
    public String name() {
        return name;
    }

    /// Whether it has a function.
    public boolean has(String function) {
        return symbols.find(function).isPresent();
    }

    /// A function of integers and pointers that returns a status.
    ///
    /// All arguments are passed as 64 bits: the calling conventions of Linux on x86-64 and AArch64
    /// ignore the upper half of an argument of 32 bits, in a register and on the stack.
    ///
    /// @param words how many arguments it has
    /// @throws MeshException if the library does not have it
    public NativeFunction function(String function, int words) {
        MemoryLayout[] arguments = new MemoryLayout[words];
        Arrays.fill(arguments, ValueLayout.JAVA_LONG);
        return new NativeFunction(link(function, FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments)));
    }

    /// A function of any shape.
    ///
    /// @throws MeshException if the library does not have it
    @SuppressWarnings("restricted") // the one place that links; callers see statuses and numbers only
    public MethodHandle link(String function, FunctionDescriptor shape) {
        MemorySegment symbol = symbols.find(function)
                .orElseThrow(() -> new MeshException(
                        MeshError.UNAVAILABLE,
                        name + " is not available, because it has no function " + function
                                + "; it is too old: install a newer one"));
        return Linker.nativeLinker().downcallHandle(symbol, shape);
    }

    /// The text at an address that a library gave, which ends with a zero byte; empty where there is
    /// none.
    @SuppressWarnings("restricted") // a text of the library's own, read up to a limit
    public static String text(long address) {
        if (address == 0) {
            return "";
        }
        MemorySegment memory = MemorySegment.ofAddress(address).reinterpret(LONGEST_TEXT);
        int length = 0;
        while (length < LONGEST_TEXT && memory.get(ValueLayout.JAVA_BYTE, length) != 0) {
            length++;
        }
        byte[] bytes = memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8).strip();
    }
}
