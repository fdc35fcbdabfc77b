// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.foreign.NativeFunction;
import dev.muster.core.foreign.NativeLibrary;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/// NVIDIA's management library, as far as calling it goes: who asks what stands in [NvmlSource].
///
/// Every function takes integers or pointers and returns a status, so that all go through the one shape of
/// [NativeFunction]; linking one instead of fifteen saves most of the time of a first detection
/// (docs/decisions/0006). Confined to one thread.
final class NvmlLibrary implements AutoCloseable {
    static final int SUCCESS = 0;
    /// A function that this driver does not have; the library's own word for it.
    static final int FUNCTION_NOT_FOUND = 13;

    private static final int SCRATCH_BYTES = 1 << 16;

    /// A view that refreshes would else leave memory behind for the collector with each look.
    private static final Queue<ByteBuffer> UNUSED = new ConcurrentLinkedQueue<>();

    private final NativeLibrary library;
    /// Memory for answers: unlike a segment's, the accessors of a buffer make no classes at start-up.
    private final ByteBuffer scratch;

    private final long address;

    private NvmlLibrary(NativeLibrary library) {
        ByteBuffer unused = UNUSED.poll();
        this.library = library;
        this.scratch = unused != null
                ? unused
                : ByteBuffer.allocateDirect(SCRATCH_BYTES).order(ByteOrder.nativeOrder());
        this.address = NativeLibrary.addressOf(scratch);
    }

    /// Loads the library; it stays loaded, as the driver's own threads may.
    ///
    /// @throws IllegalArgumentException if the file cannot be loaded as a library
    static NvmlLibrary load(Path file) {
        return new NvmlLibrary(NativeLibrary.load(file, IllegalStateException::new));
    }

    /// A library in which every name stands for a harmless function of the C library: `ffs(0)` is 0, which means
    /// success. For rehearsals.
    NvmlLibrary withStubbedCalls() {
        return new NvmlLibrary(NativeLibrary.ofSystem().whereEveryNameIs("ffs"));
    }

    /// The same library with memory of its own, for another thread.
    NvmlLibrary withOwnScratch() {
        return new NvmlLibrary(library);
    }

    /// Gives the memory for answers to the next one.
    @Override
    public void close() {
        UNUSED.add(scratch);
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

    void putLong(int offset, long value) {
        scratch.putLong(offset, value);
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
