// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// A native library. It stays loaded, as its own threads may. Immutable; for any thread.
@SuppressWarnings("restricted") // the one place that loads and links; callers see statuses and numbers only
public record NativeLibrary(
        String name, ToLongFunction<String> symbols, Function<String, ? extends RuntimeException> failure) {
    private static final int LONGEST_TEXT = 4096;

    /// Loads a library from a file.
    ///
    /// @param failure makes the exception for a function that it does not have, of a sentence
    /// @throws IllegalArgumentException if the file is not a library that can be loaded
    public static NativeLibrary load(Path file, Function<String, ? extends RuntimeException> failure) {
        try {
            return new NativeLibrary(file.toString(), open(file.toString()), failure);
        } catch (IllegalCallerException e) {
            throw new IllegalArgumentException(NativeFunction.denied(e).getMessage(), e);
        }
    }

    /// Loads the first of those libraries that the system's loader finds.
    ///
    /// @param names plain names, for which the loader looks where it always does, or paths
    /// @param failure makes the exception for a library or function that is not there, of a sentence
    public static NativeLibrary load(List<String> names, Function<String, ? extends RuntimeException> failure) {
        try {
            JvmSignals.keep(); // libraries that others install may bring UCX along
        } catch (IllegalStateException e) {
            throw failure.apply(String.valueOf(e.getMessage()));
        }
        for (String name : names) {
            try {
                return new NativeLibrary(name, open(name), failure);
            } catch (IllegalArgumentException e) {
                // the next name may be there
            } catch (IllegalCallerException e) {
                throw failure.apply(String.valueOf(NativeFunction.denied(e).getMessage()));
            }
        }
        throw failure.apply(String.join(" or ", names) + " is not available, because the loader does not find it");
    }

    /// The C library, which every process has.
    public static NativeLibrary ofSystem() {
        return new NativeLibrary(
                "the C library",
                CompiledCalls.areLoaded()
                        ? symbol -> CompiledCalls.find(0, symbol)
                        : addresses(Linker.nativeLinker().defaultLookup()),
                IllegalStateException::new);
    }

    /// A library in which every name stands for one function. For rehearsals.
    public NativeLibrary whereEveryNameIs(String function) {
        long symbol = address(function);
        return new NativeLibrary(name, _ -> symbol, failure);
    }

    public boolean has(String function) {
        return symbols.applyAsLong(function) != 0;
    }

    /// A function, if the library has it.
    public Optional<NativeFunction> find(String function) {
        long symbol = symbols.applyAsLong(function);
        return symbol == 0 ? Optional.empty() : Optional.of(new NativeFunction(symbol));
    }

    /// A function. If the library does not have it, throws what [#load] was told to.
    public NativeFunction require(String function) {
        return new NativeFunction(address(function));
    }

    /// The address of a function or variable of the library. If the library does not have it, throws the exception
    /// given to [#load].
    public long address(String symbol) {
        long address = symbols.applyAsLong(symbol);
        if (address == 0) {
            throw failure.apply(name + " is not available, because it has no " + symbol);
        }
        return address;
    }

    /// A function of a shape of its own, such as one that takes a structure by value.
    public MethodHandle link(String function, FunctionDescriptor shape) {
        return Linker.nativeLinker().downcallHandle(MemorySegment.ofAddress(address(function)), shape);
    }

    /// @throws IllegalArgumentException if it is not a library that can be loaded
    private static ToLongFunction<String> open(String file) {
        if (!CompiledCalls.areLoaded()) {
            boolean isPath = file.indexOf('/') >= 0;
            return addresses(
                    isPath
                            ? SymbolLookup.libraryLookup(Path.of(file), Arena.global())
                            : SymbolLookup.libraryLookup(file, Arena.global()));
        }
        long library = CompiledCalls.open(file);
        if (library == 0) {
            throw new IllegalArgumentException("Cannot open library: " + file);
        }
        return symbol -> CompiledCalls.find(library, symbol);
    }

    private static ToLongFunction<String> addresses(SymbolLookup lookup) {
        return symbol -> {
            Optional<MemorySegment> found = lookup.find(symbol);
            return found.isEmpty() ? 0 : found.get().address();
        };
    }

    /// The address where a direct buffer begins, which has to be kept as long as the address is used.
    public static long addressOf(ByteBuffer direct) {
        return CompiledCalls.areLoaded()
                ? CompiledCalls.addressOf(direct)
                : MemorySegment.ofBuffer(direct.slice(0, direct.capacity())).address();
    }

    /// A method as native code calls it.
    ///
    /// @param arena the scope in which it can be called
    public static MemorySegment upcall(MethodHandle method, FunctionDescriptor shape, Arena arena) {
        return Linker.nativeLinker().upcallStub(method, shape, arena);
    }

    /// The memory at an address that a library gave, which says how long it is.
    public static MemorySegment memory(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    /// The text at an address that a library gave, which ends with a zero byte; empty where there is none.
    public static String text(long address) {
        if (address == 0) {
            return "";
        }
        MemorySegment memory = memory(address, LONGEST_TEXT);
        int length = 0;
        while (length < LONGEST_TEXT && memory.get(ValueLayout.JAVA_BYTE, length) != 0) {
            length++;
        }
        byte[] bytes = memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8).strip();
    }
}
