// SPDX-License-Identifier: Apache-2.0
package dev.muster.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Programs of this machine, and the packages that have them.
public final class Program {
    /// The table that `scripts/verify` installs from.
    private static final Path PACKAGES = Path.of("../scripts/lib/packages.txt");

    private Program() {}

    /// The output of a program, both streams together, and its exit code.
    public record Result(int code, String output) {}

    /// The path of a program, if it is on PATH or among root's programs.
    public static Optional<Path> find(String name) {
        String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/sbin";
        return Arrays.stream(path.split(File.pathSeparator))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// The path of a program; the test ends as skipped if it is missing.
    public static Path require(String name) {
        return find(name).orElseThrow(() -> Need.unmet(words(name)));
    }

    public static Result run(List<String> line) throws IOException, InterruptedException {
        return run(line, Map.of());
    }

    /// Runs a program with a UTF-8 locale and some more variables.
    public static Result run(List<String> line, Map<String, String> environment)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().remove("JAVA_TOOL_OPTIONS"); // Java announces it on standard error
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = Waiting.output(process);
        return new Result(Waiting.exit(process), output);
    }

    /// A command line that starts a command with SIGINT at its default. A process that was started in the background, by
    /// `nohup` or by cron may have been told to ignore it, and what it starts would too.
    public static List<String> interruptible(List<String> line) throws IOException, InterruptedException {
        List<String> prefix = List.of("env", "--default-signal=INT");
        if (run(Stream.concat(prefix.stream(), Stream.of("true")).toList()).code() != 0) {
            throw Need.unmet("env with --default-signal (GNU coreutils 8.31 or later)");
        }
        return Stream.concat(prefix.stream(), line.stream()).toList();
    }

    /// A program and how it is to be had, such as `groff (Debian: groff, Fedora: groff, Homebrew: groff)`.
    static String words(String name) {
        try {
            return Files.readAllLines(PACKAGES).stream()
                    .map(line -> line.split(" +", 5))
                    .filter(row -> row[0].equals(name))
                    .findFirst()
                    .map(row -> name + " (Debian: " + row[1] + ", Fedora: " + row[2]
                            + (row[3].equals("-") ? "" : ", Homebrew: " + row[3]) + ")")
                    .orElse(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
