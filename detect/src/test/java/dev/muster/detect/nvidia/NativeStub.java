// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testing.Need;
import dev.muster.testing.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// A vendor's library without the vendor's hardware, compiled from C where there is a compiler.
public final class NativeStub {
    private static final long LIMIT_SECONDS = 60;

    private NativeStub() {}

    /// Compiles a source to a shared library.
    ///
    /// @param source a file of `native/`, without its ending
    public static Path compile(String source, Path folder) throws IOException, InterruptedException {
        Need.LINUX.require();
        Path compiler = Program.require("cc");
        Path file = folder.resolve("lib" + source + ".so");
        Process compilation = new ProcessBuilder(
                        compiler.toString(),
                        "-shared",
                        "-fPIC",
                        "-Wall",
                        "-Werror",
                        "-o",
                        file.toString(),
                        "src/test/resources/native/" + source + ".c")
                .inheritIO()
                .start();
        assertThat(compilation.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(compilation.exitValue()).isZero();
        return file;
    }
}
