// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.foreign.NativeLibrary;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Waiting;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A Java whose user allows no native code: `--illegal-native-access=deny`.
@Needs(Need.LINUX)
class DeniedNativeAccessTest {
    private static final String SENTENCE =
            "this Java was told to allow no native code; start it with --enable-native-access=ALL-UNNAMED";

    /// Tries what needs native code, twice, and prints what it is told.
    static final class Caller {
        private Caller() {}

        public static void main(String[] arguments) {
            for (int i = 0; i < 2; i++) {
                tell(() -> NativeLibrary.ofSystem().require("getpid").call(0));
                tell(() -> NativeLibrary.load(
                        List.of("libc.so.6"), reason -> new GroupException(GroupError.UNAVAILABLE, reason)));
                tell(() -> NativeLibrary.load(Path.of("/lib/libc.so.6"), IllegalStateException::new));
            }
        }

        private static void tell(Runnable call) {
            try {
                call.run();
                System.out.println("done");
            } catch (RuntimeException e) {
                System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
    }

    @Test
    void isSaidInOneSentence() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--illegal-native-access=deny",
                        "-cp",
                        System.getProperty("java.class.path")
                                + ":../mesh/target/classes:../mesh/target/test-classes:../core/target/classes",
                        Caller.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = Waiting.output(process);
        assertThat(Waiting.exit(process)).isZero();
        assertThat(said.lines()).hasSize(6).allSatisfy(line -> assertThat(line).endsWith(": " + SENTENCE));
    }
}
