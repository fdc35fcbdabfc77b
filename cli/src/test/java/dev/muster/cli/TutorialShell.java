// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.cli.option.ExitCode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The shell of a reader who follows the tutorial, in one folder. Most commands are run in this process, on a machine
/// with a processor alone; those that start or need processes, and all programs of others, by a real shell.
///
/// Confined to one thread. The creator closes it, which ends background processes.
final class TutorialShell implements AutoCloseable {
    private static final int COLUMNS = 120;
    private static final long LIMIT_SECONDS = 60;
    private static final Pattern WORD = Pattern.compile("'([^']*)'|([^\\s']+)");
    private static final Pattern REDIRECTED = Pattern.compile("(.*) > (\\S+)");
    /// The last two have columns as wide as names of files.
    private static final Pattern WITH_PROCESSES =
            Pattern.compile("(?!muster ).*|.* \\| .*|muster (mesh|serve|fleet|accuracy) .*");

    private final Path folder;
    private final Path programs;
    private final List<Process> background = new ArrayList<>();

    /// @param folder working directory of commands
    /// @param programs an empty folder, for the program `muster`
    TutorialShell(Path folder, Path programs) throws IOException {
        this.folder = folder;
        this.programs = programs;
        Path program = Files.writeString(
                programs.resolve("muster"),
                "#!/bin/sh\nexec java -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED -cp \"$LIBRARIES\""
                        + " dev.muster.cli.Main \"$@\"\n");
        if (!program.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + program + " executable");
        }
    }

    /// Runs a line to its end; one that ends in `&` is left running once it has printed something.
    Outcome run(String line) throws IOException, InterruptedException {
        if (line.endsWith(" &")) {
            return start(line.substring(0, line.length() - 2));
        }
        return WITH_PROCESSES.matcher(line).matches() ? runProcess(line) : runHere(line);
    }

    private Outcome start(String line) throws IOException {
        Process process = process("exec " + line).redirectErrorStream(true).start();
        background.add(process);
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        String first = output.readLine();
        return first == null ? new Outcome(ExitCode.NO, "", "") : new Outcome(ExitCode.OK, first + "\n", "");
    }

    private Outcome runProcess(String line) throws IOException, InterruptedException {
        Process process = process(line).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("no end: " + line);
        }
        return new Outcome(process.exitValue(), output, "");
    }

    private ProcessBuilder process(String line) {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", line).directory(folder.toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("MUSTER_") || name.contains("JAVA"));
        String java = Path.of(System.getProperty("java.home"), "bin").toString();
        environment.put("PATH", programs + File.pathSeparator + java + File.pathSeparator + environment.get("PATH"));
        environment.put("LC_ALL", "C.UTF-8");
        environment.put("LIBRARIES", System.getProperty("java.class.path"));
        environment.put("XDG_CACHE_HOME", folder.toString());
        return builder;
    }

    private Outcome runHere(String line) throws IOException {
        Matcher redirected = REDIRECTED.matcher(line);
        boolean isRedirected = redirected.matches();
        MusterRun run = (isRedirected ? MusterRun.inPipe() : MusterRun.onTerminal(COLUMNS))
                .withEnvironment("XDG_CACHE_HOME", folder.toString());
        Outcome outcome = run.run(words(isRedirected ? redirected.group(1) : line));
        String err = here(outcome.err());
        if (isRedirected) {
            Files.writeString(folder.resolve(redirected.group(2)), outcome.out());
            return new Outcome(outcome.code(), "", err);
        }
        return new Outcome(outcome.code(), here(outcome.out()), err);
    }

    /// This process has another working directory, so files have to be named in full, and people see them without it.
    private List<String> words(String line) {
        return WORD.matcher(line)
                .results()
                .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                .skip(1)
                .map(word -> Files.exists(folder.resolve(word))
                        ? folder.resolve(word).toString()
                        : word)
                .toList();
    }

    private String here(String text) {
        return text.replace(folder + "/", "");
    }

    @Override
    public void close() {
        for (Process process : background) {
            process.destroy();
            process.onExit().orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
        }
    }
}
