// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia.cuda;

import dev.muster.core.foreign.NativeLibrary;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostBuilder;
import dev.muster.detect.host.HostLibraries;
import dev.muster.detect.measure.MeasurementException;
import dev.muster.detect.nvidia.NativeStub;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/// CUDA and cuBLAS without a GPU: compiled from `native/cuda-stub.c` where there is a C compiler. Loaded
/// for good, so that one serves all tests of a class; each begins with [#reset].
final class CudaStub {
    private final Path file;
    private final NativeLibrary library;

    private CudaStub(Path file) {
        this.file = file;
        this.library = NativeLibrary.load(file, MeasurementException::ofCall);
    }

    static CudaStub compile(Path folder) throws IOException, InterruptedException {
        return new CudaStub(NativeStub.compile("cuda-stub", folder));
    }

    /// A machine that has the driver, and cuBLAS if asked.
    Host host(boolean withCublas) {
        HostLibraries libraries = (names, folders) -> names.contains("libcuda.so.1") || withCublas
                ? new HostAnswer.Found<>(file)
                : new HostAnswer.Missing<>();
        Host bare = new HostBuilder().now(Instant.parse("2026-11-15T08:30:00Z")).build();
        return new Host(
                bare.system(),
                bare.architecture(),
                bare.files(),
                bare.commands(),
                libraries,
                bare.variables(),
                bare.clock());
    }

    void reset() {
        call("stub_reset");
    }

    /// Lets a function fail once, after so many calls.
    ///
    /// @param function its number in the source: FAIL_ALLOC is 1, and so on
    void fail(int function, int after) {
        call("stub_fail", function, after);
    }

    void setFreeMib(int mebibytes) {
        call("stub_memory", mebibytes);
    }

    /// Resources still held: memory, streams, events, contexts, handles.
    int live() {
        return call("stub_live");
    }

    /// Rows of the matrices that were multiplied last.
    int lastSize() {
        return call("stub_size");
    }

    boolean sawRandomInput() {
        return call("stub_random_input") == 1;
    }

    private int call(String function, long... arguments) {
        return library.require(function).callWith(arguments);
    }
}
