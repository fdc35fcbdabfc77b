// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.testing.Need;
import dev.muster.testing.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// The library between Java and Gloo, which tests build once for themselves.
public final class GlooShim {
    private static final long BUILD_SECONDS = 300;

    private GlooShim() {}

    /// Returns the path of the library, which need not exist.
    public static Path file() {
        String given = System.getenv("MUSTER_GLOO_SHIM");
        return given == null ? Path.of("target", "native", "libmuster_gloo.so").toAbsolutePath() : Path.of(given);
    }

    /// Builds it; the test ends as skipped where that cannot be done.
    public static void require() {
        if (System.getenv("MUSTER_GLOO_SHIM") != null) {
            return;
        }
        try {
            Process build = new ProcessBuilder("../scripts/build-gloo-shim", file().toString())
                    .redirectErrorStream(true)
                    .start();
            String said = Waiting.output(build);
            if (!build.waitFor(BUILD_SECONDS, TimeUnit.SECONDS)) {
                build.destroyForcibly();
                throw new AssertionError("scripts/build-gloo-shim does not end");
            }
            if (build.exitValue() == 69) {
                throw Need.unmet("Gloo and a compiler (Debian: g++ libgloo-dev, Fedora: gcc-c++ gloo-devel)");
            }
            if (build.exitValue() != 0) {
                throw new AssertionError("scripts/build-gloo-shim failed: " + said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
