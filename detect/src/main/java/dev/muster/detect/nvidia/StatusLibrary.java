package dev.muster.detect.nvidia;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/// A native library whose functions take integers and pointers and return a status of 32 bits. Each
/// function is linked with its own shape when it is first called. Confined to one thread.
final class StatusLibrary {
    private final SymbolLookup symbols;
    private final Map<String, MethodHandle> linked = new HashMap<>();

    private StatusLibrary(SymbolLookup symbols) {
        this.symbols = symbols;
    }

    /// Loads the library; it stays loaded, as the driver's own threads may.
    ///
    /// @throws IllegalArgumentException if the file is no library that can be loaded
    @SuppressWarnings("restricted") // callers see statuses and numbers only
    static StatusLibrary load(Path file) {
        return new StatusLibrary(SymbolLookup.libraryLookup(file, Arena.global()));
    }

    boolean has(String function) {
        return symbols.find(function).isPresent();
    }

    /// Calls a function.
    ///
    /// @param shape a letter for each argument: `i` for 32 bits, `w` for 64 bits and for pointers
    /// @return its status
    /// @throws CudaException if the library does not have it
    int call(String function, String shape, long... arguments) {
        MethodHandle handle = linked.computeIfAbsent(function, name -> link(name, shape));
        try {
            return (int) handle.invokeExact(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a native call threw", e);
        }
    }

    @SuppressWarnings("restricted") // callers see statuses and numbers only
    private MethodHandle link(String function, String shape) {
        MemorySegment symbol = symbols.find(function)
                .orElseThrow(() -> new CudaException("the library has no function " + function + "; it is too old"));
        MemoryLayout[] layouts = new MemoryLayout[shape.length()];
        for (int i = 0; i < layouts.length; i++) {
            layouts[i] = shape.charAt(i) == 'i' ? ValueLayout.JAVA_INT : ValueLayout.JAVA_LONG;
        }
        MethodHandle exact =
                Linker.nativeLinker().downcallHandle(symbol, FunctionDescriptor.of(ValueLayout.JAVA_INT, layouts));
        MethodType words = MethodType.methodType(int.class, Collections.nCopies(layouts.length, long.class));
        return MethodHandles.explicitCastArguments(exact, words).asSpreader(long[].class, layouts.length);
    }
}
