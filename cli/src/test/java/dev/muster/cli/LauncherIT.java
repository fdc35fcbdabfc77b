package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher as people meet it: real shells, real JVMs, the jars of this build or a program of two lines.
class LauncherIT {
    private static final Path LAUNCHER = Path.of("../muster").toAbsolutePath().normalize();
    private static final Path APP = Path.of("target/app/lib");
    private static final String JAVA_HOME = System.getProperty("java.home");
    private static final long LIMIT_SECONDS = 120;

    @TempDir
    private Path folder;

    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void useThisJava() {
        environment.put("PATH", "/usr/bin:/bin");
        environment.put("MUSTER_JAVA_HOME", JAVA_HOME);
        environment.put("HOME", folder.resolve("home").toString());
    }

    @Test
    void answersFromAnyFolderThroughALinkWithBlanksInItsPath() throws Exception {
        Path home = installApp("a folder with blanks");
        Path link = Files.createDirectories(folder.resolve("bin")).resolve("linked muster");
        Files.createSymbolicLink(link, Path.of("../a folder with blanks/muster"));

        Outcome outcome = run(link, "version");

        assertThat(outcome.exit()).as(outcome.toString()).isZero();
        assertThat(outcome.out()).startsWith("muster " + Version.TEXT);
        assertThat(home.resolve("lib")).isDirectoryContaining("glob:**/muster-*.aot");
    }

    @Test
    void newCodeRunsWhenAJarIsReplacedEvenByAnOlderFile() throws Exception {
        Path home = installProgram("one");
        assertThat(run(home.resolve("muster")).out()).isEqualTo("one\n");
        assertThat(run(home.resolve("muster")).out()).isEqualTo("one\n");

        Path jar = home.resolve("lib/muster-cli-1.jar");
        writeProgram(jar, "two");
        Files.setLastModifiedTime(jar, FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));

        assertThat(run(home.resolve("muster")).out()).isEqualTo("two\n");
        assertThat(caches(home.resolve("lib"))).hasSize(1);
    }

    @Test
    void aMachineWithNvidiasDriverHasACacheOfItsOwn() throws Exception {
        Path home = installProgram("one");
        environment.put("MUSTER_CACHE_DRIVER", "");
        run(home.resolve("muster"));
        environment.put("MUSTER_CACHE_DRIVER", "-nvidia");

        assertThat(run(home.resolve("muster")).out()).isEqualTo("one\n");
        assertThat(caches(home.resolve("lib")))
                .hasSize(2)
                .satisfiesOnlyOnce(cache -> assertThat(cache.toString()).endsWith("-nvidia.aot"));
        writeProgram(home.resolve("lib/muster-cli-1.jar"), "two");
        assertThat(run(home.resolve("muster")).out()).isEqualTo("two\n");
        assertThat(caches(home.resolve("lib"))).as("caches of the old program").hasSize(1);
    }

    @Test
    void commandsThatPlanHaveACacheOfTheirOwn() throws Exception {
        Path home = installProgram("one");
        run(home.resolve("muster"), "detect");
        Path first = caches(home.resolve("lib")).getFirst();

        assertThat(run(home.resolve("muster"), "--color=never", "plan").out()).isEqualTo("one\n");

        assertThat(caches(home.resolve("lib")))
                .hasSize(2)
                .contains(first)
                .satisfiesOnlyOnce(cache -> assertThat(cache.toString()).contains("-plan"));
        environment.put("MUSTER_PRINT_COMMAND", "1");
        assertThat(run(home.resolve("muster"), "fit", "plan").out()).contains("-plan");
        assertThat(run(home.resolve("muster"), "check", "plan").out()).doesNotContain("-plan");
    }

    @Test
    void aDamagedCacheIsPassedOverInSilence() throws Exception {
        Path home = installProgram("one");
        run(home.resolve("muster"));
        Path cache = caches(home.resolve("lib")).getFirst();
        Files.write(cache, "this is no cache".getBytes(StandardCharsets.US_ASCII));

        Outcome outcome = run(home.resolve("muster"));

        assertThat(outcome.out()).isEqualTo("one\n");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exit()).isZero();
    }

    @Test
    void standardOutputHoldsOnlyDataWhateverTheJvmSays() throws Exception {
        Path home = installProgram("one");
        environment.put("JAVA_TOOL_OPTIONS", "-Dsome=thing");

        assertThat(run(home.resolve("muster")).out()).isEqualTo("one\n");
        assertThat(run(home.resolve("muster")).out()).isEqualTo("one\n");
    }

    @Test
    void withoutAJdkOneLineSaysWhatIsMissingAndWhereItLooked() throws Exception {
        Path home = installProgram("one");
        environment.remove("MUSTER_JAVA_HOME");
        environment.put("MUSTER_JVM_DIRS", "/nowhere/*");
        environment.put("PATH", emptyPath().toString());

        Outcome outcome = run(home.resolve("muster"));

        assertThat(outcome.exit()).isEqualTo(69);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err().lines()).hasSize(1);
        assertThat(outcome.err()).contains("Java 25", "MUSTER_JAVA_HOME", "/usr/lib/jvm", "install");
    }

    @Test
    void anOwnVariableThatNamesNoJdkIsAnError() throws Exception {
        Path home = installProgram("one");
        environment.put("MUSTER_JAVA_HOME", folder.toString());

        Outcome outcome = run(home.resolve("muster"));

        assertThat(outcome.exit()).isEqualTo(69);
        assertThat(outcome.err()).contains("MUSTER_JAVA_HOME").hasLineCount(1);
    }

    @Test
    void longRunningCommandsGetTheFullCompilerAndShortOnesAQuickStart() throws Exception {
        Path home = installProgram("one");
        environment.put("MUSTER_PRINT_COMMAND", "1");

        assertThat(run(home.resolve("muster"), "detect").out()).contains("TieredStopAtLevel=1", "UseSerialGC");
        for (String command : List.of("mesh", "bench", "serve", "calibrate")) {
            assertThat(run(home.resolve("muster"), command).out()).doesNotContain("TieredStopAtLevel", "UseSerialGC");
        }
    }

    @Test
    void aReadOnlyInstallationKeepsItsCacheInTheUsersCacheFolder() throws Exception {
        Path home = installProgram("one");
        Path cache = Files.createDirectories(folder.resolve("cache"));
        environment.put("XDG_CACHE_HOME", cache.toString());
        boolean root = System.getProperty("user.name").equals("root");
        boolean otherUser = Files.isExecutable(Path.of("/usr/bin/setpriv"));
        if (root && !otherUser) {
            System.out.println("LEFT OUT: read-only installation (runs as root, and there is no setpriv)");
        }
        assumeThat(!root || otherUser).isTrue();
        openToAll(folder);
        cache.toFile().setWritable(true, false);
        assertThat(home.resolve("lib").toFile().setWritable(false, false)).isTrue();

        List<String> asOther =
                root ? List.of("/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups") : List.of();
        Outcome outcome = run(asOther, home.resolve("muster"));
        home.resolve("lib").toFile().setWritable(true, true);

        assertThat(outcome.out()).as(outcome.toString()).isEqualTo("one\n");
        assertThat(caches(home.resolve("lib"))).isEmpty();
        try (Stream<Path> files = Files.walk(cache)) {
            assertThat(files.filter(file -> file.toString().endsWith(".aot"))).hasSize(1);
        }
    }

    @Test
    void aReaderThatGoesAwayIsNoError() throws Exception {
        Path home = installApp("app");
        run(home.resolve("muster"));

        Outcome outcome = shell("'" + home.resolve("muster") + "' help | head -n 1; '" + home.resolve("muster")
                + "' help >&-; echo $?");

        assertThat(outcome.err()).doesNotContain("Exception");
        assertThat(outcome.out().lines().findFirst())
                .hasValueSatisfying(line -> assertThat(line).startsWith("muster finds"));
    }

    @Test
    void aFullDiskIsOneSentenceAndAnExitCode() throws Exception {
        assumeThat(Files.exists(Path.of("/dev/full"))).isTrue();
        Path home = installApp("app");
        run(home.resolve("muster"));

        Outcome outcome = shell("'" + home.resolve("muster") + "' detect > /dev/full");

        assertThat(outcome.exit()).isEqualTo(ExitCode.CANNOT_WRITE);
        assertThat(outcome.err())
                .startsWith("muster: cannot write to standard output")
                .hasLineCount(1);
    }

    @Test
    void shellcheckHasNothingToSay() throws Exception {
        if (!Files.isExecutable(Path.of("/usr/bin/shellcheck"))) {
            System.out.println("LEFT OUT: shell scripts are not checked (shellcheck is not installed)");
            return;
        }
        Outcome outcome = shell("cd '" + LAUNCHER.getParent()
                + "' && shellcheck muster .ci/run scripts/lib/run-bench scripts/lib/in-sid scripts/lib/build-kube-apiserver"
                + " $(ls -p scripts | grep -v / | sed 's,^,scripts/,')");

        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.exit()).isZero();
    }

    /// The launcher beside the jars of this build, laid out as a bundle.
    private Path installApp(String name) throws IOException {
        Path home = install(name);
        try (Stream<Path> jars = Files.list(APP)) {
            for (Path jar :
                    jars.filter(file -> file.toString().endsWith(".jar")).toList()) {
                Files.copy(jar, home.resolve("lib").resolve(jar.getFileName()));
            }
        }
        return home;
    }

    /// The launcher beside a program that prints one line.
    private Path installProgram(String line) throws IOException {
        Path home = install("program");
        writeProgram(home.resolve("lib/muster-cli-1.jar"), line);
        return home;
    }

    private Path install(String name) throws IOException {
        Path home = folder.resolve(name);
        Files.createDirectories(home.resolve("lib"));
        Files.copy(LAUNCHER, home.resolve("muster"));
        assertThat(home.resolve("muster").toFile().setExecutable(true, false)).isTrue();
        return home;
    }

    private void writeProgram(Path jar, String line) throws IOException {
        Path source = Files.createDirectories(folder.resolve("source/dev/muster/cli"));
        Path classes = Files.createDirectories(folder.resolve("classes"));
        String body = "public static void main(String[] a) { System.out.println(\"" + line + "\"); }";
        for (String name : List.of("Main", "TrainingRun")) {
            Files.writeString(
                    source.resolve(name + ".java"),
                    "package dev.muster.cli; public class " + name + " { " + body + " }");
        }
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-d",
                        classes.toString(),
                        source.resolve("Main.java").toString(),
                        source.resolve("TrainingRun.java").toString());
        assertThat(result).isZero();
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (String name : List.of("Main", "TrainingRun")) {
                String entry = "dev/muster/cli/" + name + ".class";
                out.putNextEntry(new JarEntry(entry));
                out.write(Files.readAllBytes(classes.resolve(entry)));
            }
        }
    }

    /// The tools of the system, but no Java.
    private Path emptyPath() throws IOException {
        Path bin = Files.createDirectories(folder.resolve("tools"));
        for (String tool : List.of("sh", "cksum", "readlink", "sed", "cat", "uname")) {
            Files.createSymbolicLink(bin.resolve(tool), Path.of("/usr/bin", tool));
        }
        return bin;
    }

    private static void openToAll(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            files.forEach(file -> {
                file.toFile().setReadable(true, false);
                file.toFile().setExecutable(file.toFile().canExecute(), false);
            });
        }
    }

    private static List<Path> caches(Path lib) throws IOException {
        try (Stream<Path> files = Files.list(lib)) {
            return files.filter(file -> file.toString().endsWith(".aot")).toList();
        }
    }

    private record Outcome(int exit, String out, String err) {}

    private Outcome run(Path launcher, String... arguments) throws IOException, InterruptedException {
        return run(List.of(), launcher, arguments);
    }

    private Outcome run(List<String> prefix, Path launcher, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(prefix);
        command.add(launcher.toString());
        command.addAll(List.of(arguments));
        return start(command);
    }

    private Outcome shell(String script) throws IOException, InterruptedException {
        return start(List.of("/bin/sh", "-c", script));
    }

    private Outcome start(List<String> command) throws IOException, InterruptedException {
        Path err = Files.createTempFile(folder, "stderr", ".txt");
        Path out = Files.createTempFile(folder, "stdout", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(Path.of("/").toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new AssertionError("no end after " + LIMIT_SECONDS + " s: " + command);
        }
        return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}
