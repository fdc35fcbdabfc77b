package dev.muster.detect.nvidia;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// Makes libraries that stand in for NVIDIA's, where there is a C compiler.
final class StubCompiler {
    private static final Path COMPILER = Path.of("/usr/bin/cc");
    private static final long LIMIT_SECONDS = 60;

    private StubCompiler() {}

    /// The library of a source in `src/test/resources/native`.
    static Path compile(String source, Path folder) throws IOException, InterruptedException {
        if (!Files.isExecutable(COMPILER)) {
            System.out.println("LEFT OUT: calls into " + source + " (there is no C compiler)");
        }
        assumeThat(COMPILER).isExecutable();
        Path file = folder.resolve(source + ".so");
        Process compiler = new ProcessBuilder(
                        COMPILER.toString(),
                        "-shared",
                        "-fPIC",
                        "-Wall",
                        "-Werror",
                        "-o",
                        file.toString(),
                        "src/test/resources/native/" + source)
                .inheritIO()
                .start();
        assertThat(compiler.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(compiler.exitValue()).isZero();
        return file;
    }
}
