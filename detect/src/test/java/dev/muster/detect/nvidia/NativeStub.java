// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// A vendor's library without the vendor's hardware, compiled from C where there is a compiler.
final class NativeStub {
    private static final Path COMPILER = Path.of("/usr/bin/cc");
    private static final long LIMIT_SECONDS = 60;

    private NativeStub() {}

    /// @param source a file of `native/`, without its ending
    static Path compile(String source, Path folder) throws IOException, InterruptedException {
        if (!Files.isExecutable(COMPILER)) {
            System.out.println("LEFT OUT: calls into " + source + " (there is no C compiler)");
        }
        assumeThat(COMPILER).isExecutable();
        Path file = folder.resolve("lib" + source + ".so");
        Process compiler = new ProcessBuilder(
                        COMPILER.toString(),
                        "-shared",
                        "-fPIC",
                        "-Wall",
                        "-Werror",
                        "-o",
                        file.toString(),
                        "src/test/resources/native/" + source + ".c")
                .inheritIO()
                .start();
        assertThat(compiler.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(compiler.exitValue()).isZero();
        return file;
    }
}
