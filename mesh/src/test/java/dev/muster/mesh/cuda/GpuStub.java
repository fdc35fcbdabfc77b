// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.foreign.NativeLibrary;
import dev.muster.testing.Need;
import dev.muster.testing.Program;
import dev.muster.testing.Waiting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A driver and an NCCL without a GPU: compiled from `native/nccl-stub.c` where there is a C compiler.
/// Loaded for good.
public final class GpuStub {
    private static final long LIMIT_SECONDS = 60;

    private final Path file;
    private final GpuLibrary gpu;
    private final NativeLibrary library;

    private GpuStub(Path file) {
        this.file = file;
        this.gpu = GpuLibrary.load(GpuRuntime.CUDA, List.of(file.toString()));
        this.library = NativeLibrary.load(file, IllegalStateException::new);
    }

    public static GpuStub compile(Path folder) throws IOException, InterruptedException {
        Need.LINUX.require();
        Path compiler = Program.require("cc");
        Path file = folder.resolve("libnccl-stub.so");
        Process compilation = new ProcessBuilder(
                        compiler.toString(),
                        "-shared",
                        "-fPIC",
                        "-Wall",
                        "-Werror",
                        "-o",
                        file.toString(),
                        "src/test/resources/native/nccl-stub.c",
                        "-lpthread")
                .inheritIO()
                .start();
        assertThat(compilation.waitFor(Waiting.seconds(LIMIT_SECONDS), TimeUnit.SECONDS))
                .isTrue();
        assertThat(compilation.exitValue()).isZero();
        return new GpuStub(file);
    }

    public Path file() {
        return file;
    }

    public GpuDevice device(int ordinal) {
        return gpu.device(ordinal);
    }

    /// Returns the number of resources still held: memory, streams, communicators.
    public int live() {
        return library.require("stub_live").call(0);
    }

    /// Returns the number of uses of something that was gone, or by a thread without the device.
    public int misuses() {
        return library.require("stub_misuse").call(0);
    }

    /// Lets streams be busy until told otherwise.
    public void hold(boolean on) {
        library.require("stub_hold").call(on ? 1 : 0);
    }

    public void setVersion(int code) {
        library.require("stub_version").call(code);
    }

    /// Returns the contents of the configuration: size, magic, version, blocking, the size of a cluster.
    public int config(int field) {
        return library.require("stub_config").call(field);
    }
}
