// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import dev.muster.testing.Need;
import dev.muster.testing.Waiting;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Another JVM that a test talks to line by line. Closing it ends it. Nothing here waits for ever.
public final class ChildJvm implements AutoCloseable {
    /// Names the folder in which ranks of this host share memory. Tests look into it for what was left, and other tests
    /// may run beside them.
    public static final String SHARED_MEMORY = "muster.test.shared-memory";

    private static final long LIMIT_SECONDS = 60;

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private ChildJvm(Process process) {
        this.process = process;
        // Reading a pipe would keep the carrier of a virtual thread, and stores of tests live on those.
        Thread.ofPlatform().daemon().start(this::read);
    }

    /// Runs a main class of these tests.
    public static ChildJvm start(Class<?> main, String... arguments) {
        return start(Map.of(), main, arguments);
    }

    /// Runs a main class of these tests with more variables.
    public static ChildJvm start(Map<String, String> variables, Class<?> main, String... arguments) {
        return start(List.of(), variables, main, arguments);
    }

    /// Runs a main class of these tests by a command that becomes what it starts, such as `nsenter`.
    public static ChildJvm start(List<String> by, Map<String, String> variables, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(by);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "--enable-native-access=ALL-UNNAMED"));
        if (by.isEmpty()) {
            command.add("-D" + SHARED_MEMORY + "=" + sharedMemory());
        }
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path")
                        + ":../mesh/target/classes:../mesh/target/test-classes:../core/target/classes",
                main.getName()));
        command.addAll(List.of(arguments));
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().putAll(variables);
            return new ChildJvm(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A folder of this JVM's own, which goes with it; without shared memory, one that does not exist either.
    public static Path sharedMemory() {
        return OwnFolder.PATH;
    }

    private static final class OwnFolder {
        private static final Path PATH =
                Path.of("/dev/shm", "test-of-muster-" + ProcessHandle.current().pid());

        static {
            if (Need.SHARED_MEMORY.isMet() && PATH.toFile().mkdir()) {
                PATH.toFile().deleteOnExit();
            }
        }
    }

    private void read() {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("broken " + e.getMessage());
        }
        lines.add("ended");
    }

    /// The next line that it says; `hangs` if it says nothing in time, `ended` when it has ended.
    public String line() {
        return line(Waiting.seconds(LIMIT_SECONDS));
    }

    /// The next line that it says; `hangs` if it says nothing for so long.
    public String line(long seconds) {
        try {
            String line = lines.poll(seconds, TimeUnit.SECONDS);
            return line == null ? "hangs" : line;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public void tell(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Sends a signal: KILL, STOP, CONT, TERM.
    public void signal(String name) {
        try {
            // The shell's own: bare systems have no program of that name.
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start();
            if (!kill.waitFor(Waiting.seconds(LIMIT_SECONDS), TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new AssertionError("cannot send " + name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    /// Waits for its end.
    public int exit() {
        try {
            if (!process.waitFor(Waiting.seconds(LIMIT_SECONDS), TimeUnit.SECONDS)) {
                throw new AssertionError("a child does not end");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        exit();
    }
}
