// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.mpi;

import dev.muster.testing.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A job of a launcher of MPI, after it has ended.
///
/// @param status the launcher's exit code
/// @param output the output of all ranks and of the launcher
record MpiJob(int status, String output) {
    private static final long END_SECONDS = 60;
    /// Of waits for other ranks: those of MPI never rest, and share two processors with what else is tested.
    private static final long LIMIT_SECONDS = 30;

    private static final int LOOKS = 100;
    private static final long LOOK_AGAIN_MILLIS = 200;
    private static final Pattern PROCESS = Pattern.compile("process ([0-9]+) over");

    /// The launchers that tests use, by the names that packages of different libraries do not share.
    enum Launcher {
        OPEN_MPI("mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"),
        MPICH("mpiexec.hydra", "-launcher", "fork");

        private final List<String> words;

        Launcher(String... words) {
            this.words = List.of(words);
        }

        List<String> words() {
            return words;
        }
    }

    /// Starts so many ranks and waits for their end.
    static MpiJob run(Launcher launcher, int ranks, Map<String, String> variables, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(launcher.words());
        command.addAll(List.of("-np", Integer.toString(ranks)));
        command.addAll(java(arguments));
        return run(command, variables);
    }

    static List<String> java(String... arguments) {
        return Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path")
                                        + ":../mesh/target/classes:../mesh/target/test-classes:../core/target/classes",
                                "dev.muster.mesh.mpi.MpiRankMain"),
                        Stream.of(arguments))
                .toList();
    }

    static MpiJob run(List<String> command, Map<String, String> variables) throws IOException, InterruptedException {
        return run(command, variables, _ -> {});
    }

    /// Runs a job, and does something while it runs.
    static MpiJob run(List<String> command, Map<String, String> variables, Meanwhile meanwhile)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile("muster-mpi-", ".txt");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().put("MUSTER_BACKEND", "mpi");
            builder.environment().put("MUSTER_LIMIT", Waiting.seconds(LIMIT_SECONDS) + "s");
            builder.environment().putAll(variables);
            Process process = builder.start();
            try {
                meanwhile.accept(process.pid());
                boolean ended = process.waitFor(Waiting.seconds(END_SECONDS), TimeUnit.SECONDS);
                String text = Files.readString(output);
                if (!ended) {
                    throw new AssertionError("mpirun does not end: " + text);
                }
                return new MpiJob(process.exitValue(), text);
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } finally {
            Files.delete(output);
        }
    }

    /// A step of a test while a job runs.
    interface Meanwhile {
        void accept(long launcher) throws IOException, InterruptedException;
    }

    /// The last word of a rank: how it left MPI.
    String departure(int rank) {
        String start = "muster: rank " + rank + " ";
        return output.lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .reduce((_, last) -> last)
                .orElse("nothing: " + output);
    }

    /// Returns the answer of a rank to one of its arguments.
    String answer(int rank, String argument) {
        String start = "rank " + rank + ": " + argument + ": ";
        return output.lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .findFirst()
                .orElse("nothing: " + output);
    }

    /// Ranks that still run long after their launcher has ended.
    List<Long> runningForLong() throws InterruptedException {
        List<Long> running = running();
        for (int look = 0; look < LOOKS && !running.isEmpty(); look++) {
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
            running = running();
        }
        return running;
    }

    private List<Long> running() {
        Matcher found = PROCESS.matcher(output);
        List<Long> running = new ArrayList<>();
        while (found.find()) {
            if (isRunning(found.group(1))) {
                running.add(Long.valueOf(found.group(1)));
            }
        }
        return running;
    }

    /// Reports whether there is such a process that has not ended; one whose parent has not asked for its exit code
    /// stays listed.
    private static boolean isRunning(String process) {
        try {
            String state = Files.readString(Path.of("/proc", process, "stat"));
            return !state.substring(state.lastIndexOf(')')).startsWith(") Z");
        } catch (IOException e) {
            return false;
        }
    }
}
