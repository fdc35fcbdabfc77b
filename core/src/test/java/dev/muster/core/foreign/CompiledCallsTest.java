// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testing.Need;
import dev.muster.testing.Program;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompiledCallsTest {
    @TempDir
    private Path folder;

    @Test
    void nativeCallsGoThroughTheCompiledLibrary() throws Exception {
        Need.LINUX.require();
        Path library = folder.resolve("libmuster_calls.so");
        Path java = Path.of(System.getProperty("java.home"), "include");
        Program.Result compiled = Program.run(List.of(
                Program.require("cc").toString(),
                "-std=c11",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-shared",
                "-fPIC",
                "-I" + java,
                "-I" + java.resolve("linux"),
                "-o",
                library.toString(),
                "src/main/native/muster_calls.c"));
        assertThat(compiled.code()).as(compiled.output()).isZero();
        assertThat(answers(library)).isEqualTo("compiled true, parent " + pid() + ", length 6, unknown true");
    }

    @Test
    void theLinkerTakesThePlaceOfALibraryThatCannotBeLoaded() throws Exception {
        Path damaged = Files.writeString(folder.resolve("damaged.so"), "no library");
        assertThat(answers(damaged)).isEqualTo("compiled false, parent " + pid() + ", length 6, unknown true");
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }

    /// A process that has made no native call before.
    private static String answers(Path library) throws Exception {
        Program.Result result = Program.run(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Caller.class.getName(),
                library.toString()));
        assertThat(result.code()).as(result.output()).isZero();
        return result.output().lines().toList().getLast(); // the JVM warns of a damaged library before
    }

    static final class Caller {
        private Caller() {}

        public static void main(String[] arguments) {
            CompiledCalls.use(Path.of(arguments[0]));
            NativeLibrary system = NativeLibrary.load(List.of("libc.so.6"), IllegalStateException::new);
            ByteBuffer text = ByteBuffer.allocateDirect(16).put("muster".getBytes(StandardCharsets.UTF_8));
            System.out.println("compiled " + CompiledCalls.areLoaded()
                    + ", parent " + NativeLibrary.ofSystem().require("getppid").call(0)
                    + ", length "
                    + system.require("strlen").callForAddress(NativeLibrary.addressOf(text), 0, 0, 0, 0, 0, 0, 0)
                    + ", unknown " + system.find("no_such_function").isEmpty());
        }
    }
}
