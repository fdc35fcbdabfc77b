// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testing.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The launcher beside the jars of this build, laid out as a bundle, and started as people start it.
record InstalledMuster(Path launcher) {
    private static final long LIMIT_SECONDS = 60;

    private static final Path SOURCE = Path.of("../muster");
    private static final Path APP = Path.of("target/app");

    /// The exit code and output of a process.
    record Result(int code, String out, String err) {}

    /// Puts it into an empty folder.
    static InstalledMuster in(Path folder) throws IOException {
        copyJars(folder);
        Path launcher = folder.resolve("muster");
        Files.copy(SOURCE, launcher);
        assertThat(launcher.toFile().setExecutable(true, false)).isTrue();
        return new InstalledMuster(launcher);
    }

    /// Copies the jars of this build to `lib`, and those of long-running commands to `live`.
    static void copyJars(Path folder) throws IOException {
        for (String name : List.of("lib", "live")) {
            if (!Files.isDirectory(APP.resolve(name))) {
                continue;
            }
            Path to = Files.createDirectories(folder.resolve(name));
            try (Stream<Path> jars = Files.list(APP.resolve(name))) {
                for (Path jar :
                        jars.filter(file -> file.toString().endsWith(".jar")).toList()) {
                    Files.copy(jar, to.resolve(jar.getFileName()));
                }
            }
        }
    }

    /// The folder of its jars and libraries.
    Path lib() {
        return launcher.resolveSibling("lib");
    }

    /// A process that can be started, with the variables of this one.
    ProcessBuilder process(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("MUSTER_") || name.contains("JAVA"));
        environment.put("MUSTER_JAVA_HOME", System.getProperty("java.home"));
        return builder;
    }

    /// Its command line.
    List<String> command(String... words) {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(words));
        return command;
    }

    /// Runs it to its end.
    Result run(String... words) throws IOException, InterruptedException {
        Path out = Files.createTempFile(launcher.getParent(), "out", ".txt");
        Path err = Files.createTempFile(launcher.getParent(), "err", ".txt");
        Process process = process(command(words))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        process.getOutputStream().close();
        return new Result(end(process), Files.readString(out), Files.readString(err));
    }

    /// Waits for the end of a process; one that does not come to it is ended with all that it started.
    static int end(Process process) throws InterruptedException {
        try {
            if (!process.waitFor(Waiting.seconds(LIMIT_SECONDS), TimeUnit.SECONDS)) {
                throw new AssertionError("the process did not end in time: " + process.info());
            }
            return process.exitValue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
