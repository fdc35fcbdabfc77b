// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// The library between Java and Gloo, which tests build once for themselves.
public final class GlooShim {
    private static final long BUILD_SECONDS = 300;

    private GlooShim() {}

    /// Where it lies; whether it is there or not.
    public static Path file() {
        String given = System.getenv("MUSTER_GLOO_SHIM");
        return given == null ? Path.of("target", "native", "libmuster_gloo.so").toAbsolutePath() : Path.of(given);
    }

    /// Builds it, and says loudly if that cannot be done here.
    ///
    /// @return whether it is there now
    public static boolean build() {
        if (System.getenv("MUSTER_GLOO_SHIM") != null) {
            return true;
        }
        try {
            Process build = new ProcessBuilder("../scripts/build-gloo-shim", file().toString())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!build.waitFor(BUILD_SECONDS, TimeUnit.SECONDS)) {
                build.destroyForcibly();
                throw new AssertionError("scripts/build-gloo-shim does not end");
            }
            if (build.exitValue() == 0) {
                return true;
            }
            if (build.exitValue() != 69) {
                throw new AssertionError("scripts/build-gloo-shim failed: " + said);
            }
            System.err.println("NOT TESTED: the engine gloo, because it cannot be built here: " + said.strip());
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
