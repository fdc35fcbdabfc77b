// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.foreign.NativeFunction;
import dev.muster.core.foreign.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/// NVIDIA's management library, as far as calling it goes: who asks what stands in [NvmlSource].
///
/// Every function takes integers or pointers and returns a status, so that all go through the one shape of
/// [NativeFunction]; linking one instead of fifteen saves most of the time of a first detection
/// (docs/decisions/0006). Confined to one thread.
final class NvmlLibrary {
    static final int SUCCESS = 0;
    /// A function that this driver does not have; the library's own word for it.
    static final int FUNCTION_NOT_FOUND = 13;

    private static final int SCRATCH_BYTES = 1 << 16;

    private final NativeLibrary library;
    private final MemorySegment memory;
    private final long address;
    /// A view of the memory: unlike a segment's own accessors it makes no classes at start-up.
    private final ByteBuffer scratch;

    private NvmlLibrary(NativeLibrary library, MemorySegment memory) {
        this.library = library;
        this.memory = memory;
        this.address = memory.address();
        this.scratch = memory.asByteBuffer().order(ByteOrder.nativeOrder());
    }

    /// Links the one shape and calls a harmless function through it: the larger part of what a first question takes.
    static void prepare() {
        try {
            NativeLibrary.ofSystem().require("getppid").call(0);
        } catch (IllegalStateException e) {
            // Native code is not allowed: callers get the reason.
        }
    }

    /// Loads the library; it stays loaded, as the driver's own threads may.
    ///
    /// @param arena lifetime of the memory for answers
    /// @throws IllegalArgumentException if the file cannot be loaded as a library
    static NvmlLibrary load(Path file, Arena arena) {
        NativeLibrary library = NativeLibrary.load(file, IllegalStateException::new);
        return new NvmlLibrary(library, arena.allocate(SCRATCH_BYTES, Long.BYTES));
    }

    /// A library in which every name stands for a harmless function of the C library: `ffs(0)` is 0, which means
    /// success. For rehearsals.
    NvmlLibrary withStubbedCalls() {
        return new NvmlLibrary(NativeLibrary.ofSystem().whereEveryNameIs("ffs"), memory);
    }

    /// The same library with memory of its own, for another thread.
    ///
    /// @param arena lifetime of that memory
    NvmlLibrary withOwnScratch(Arena arena) {
        return new NvmlLibrary(library, arena.allocate(SCRATCH_BYTES, Long.BYTES));
    }

    /// Fills the first bytes of the scratch memory with zeros.
    void clear(int length) {
        for (int i = 0; i < length; i++) {
            scratch.put(i, (byte) 0);
        }
    }

    /// Calls a function.
    ///
    /// @return its status; [#FUNCTION_NOT_FOUND] where the driver is too old to have it
    int call(String function, long... arguments) {
        Optional<NativeFunction> found = library.find(function);
        return found.isEmpty() ? FUNCTION_NOT_FOUND : found.get().callWith(arguments);
    }

    /// Returns the answer that a function wrote into memory, if it succeeded.
    ///
    /// @param answer takes it from there
    <T> Reading<T> ask(Provenance source, String function, Supplier<T> answer, long... arguments) {
        int status = call(function, arguments);
        return status == SUCCESS ? Reading.known(answer.get(), source) : NvmlStatus.unknown(function, status);
    }

    /// The address of a place in the memory where functions put their answers: the next question overwrites it.
    long address(int offset) {
        return address + offset;
    }

    int intAt(int offset) {
        return scratch.getInt(offset);
    }

    long longAt(int offset) {
        return scratch.getLong(offset);
    }

    int byteAt(int offset) {
        return Byte.toUnsignedInt(scratch.get(offset));
    }

    void putInt(int offset, int value) {
        scratch.putInt(offset, value);
    }

    /// The text that ends with a zero byte, or at its longest.
    String textAt(int offset, int longest) {
        byte[] bytes = new byte[longest];
        scratch.get(offset, bytes);
        int length = 0;
        while (length < longest && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
