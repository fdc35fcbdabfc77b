// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.Version;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Program;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
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
@Needs(Need.POSIX)
class LauncherIT {
    private static final Path LAUNCHER = Path.of("../muster").toAbsolutePath().normalize();
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

    /// The boot loader, which most commands are on, does not see Java's HTTP client.
    @Test
    void sourcesOfAFleetAreAskedOverHttp() throws Exception {
        Path launcher = installApp("app").resolve("muster");
        String nowhere = "muster:http://127.0.0.1:1";
        for (String[] words : new String[][] {
            {"fleet", "list", "--source", nowhere},
            {"plan", "llama-3.1-8b", "--fleet", nowhere},
            {"fleet", "list", "--source", "prometheus:http://127.0.0.1:1"},
            {"fleet", "list", "--source", "slurm:http://127.0.0.1:1"}
        }) {
            Outcome outcome = run(launcher, words);
            assertThat(outcome.exit()).as(outcome.toString()).isEqualTo(ExitCode.NO);
            assertThat(outcome.err()).contains("it cannot be reached").hasLineCount(1);
        }
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
    void onlyLongRunningCommandsHaveTheJarsOfTheSecondFolder() throws Exception {
        Path home = installProgram("one");
        Path live = Files.createDirectories(home.resolve("live"));
        Path jar = live.resolve("heavy-1.jar");
        writeProgram(jar, "heavy");
        assertAnswers(run(home.resolve("muster"), "detect"));
        Path ofOthers = caches(home.resolve("lib")).getFirst();

        assertAnswers(run(home.resolve("muster"), "serve"));

        assertThat(caches(home.resolve("lib")))
                .hasSize(2)
                .contains(ofOthers)
                .satisfiesOnlyOnce(
                        cache -> assertThat(cache.getFileName().toString()).matches("live-[0-9a-f]{16}-live.*[.]aot"));
        environment.put("MUSTER_PRINT_COMMAND", "1");
        assertThat(run(home.resolve("muster"), "serve").out()).contains("heavy-1.jar", "-XX:AOTCache=");
        assertThat(run(home.resolve("muster"), "detect").out())
                .doesNotContain("heavy-1.jar")
                .contains("-XX:AOTCache=" + ofOthers);
        environment.remove("MUSTER_PRINT_COMMAND");
        writeProgram(jar, "heavier");
        Files.setLastModifiedTime(jar, FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));

        assertAnswers(run(home.resolve("muster"), "serve"));

        assertThat(caches(home.resolve("lib")))
                .as("a new one for new jars")
                .hasSize(2)
                .contains(ofOthers);
    }

    @Test
    void aDamagedCacheIsPassedOverInSilence() throws Exception {
        Path home = installProgram("one");
        run(home.resolve("muster"));
        Path cache = caches(home.resolve("lib")).getFirst();
        Files.write(cache, "not a cache".getBytes(StandardCharsets.US_ASCII));

        Outcome outcome = run(home.resolve("muster"));

        assertThat(outcome.out()).isEqualTo("one\n");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exit()).isZero();
    }

    @Test
    void aDamagedCacheOfTheRightSizeIsMadeAgain() throws Exception {
        Path home = installProgram("one");
        run(home.resolve("muster"));
        Path cache = caches(home.resolve("lib")).getFirst();
        FileTime made = Files.getLastModifiedTime(cache);
        long size = Files.size(cache);
        for (long offset : List.of(0L, 4096L, size / 2, size - 5000)) {
            try (RandomAccessFile file = new RandomAccessFile(cache.toFile(), "rw")) {
                file.seek(offset);
                file.write(new byte[4096]);
            }
            Files.setLastModifiedTime(cache, made);
            byte[] damaged = Files.readAllBytes(cache);

            assertAnswers(run(home.resolve("muster")));

            assertThat(Files.readAllBytes(cache)).as("at " + offset).isNotEqualTo(damaged);
        }
        assertThat(Path.of("/").toFile().list()).noneMatch(name -> name.startsWith("hs_err"));
    }

    @Test
    void aForgedCacheWithItsChecksumDoesNotEndTheJvm() throws Exception {
        Path home = installProgram("one");
        run(home.resolve("muster"));
        Path cache = caches(home.resolve("lib")).getFirst();
        byte[] forged = Files.readAllBytes(cache);
        Arrays.fill(forged, 4096, forged.length, (byte) 0);
        Files.write(cache, forged);
        Process sum = new ProcessBuilder("cksum").redirectInput(cache.toFile()).start();
        Files.write(Path.of(cache + ".sum"), sum.getInputStream().readAllBytes());
        assertThat(sum.waitFor()).isZero();

        assertAnswers(run(home.resolve("muster")));
    }

    @Test
    void aTruncatedOrEmptyCacheIsMadeAgain() throws Exception {
        Path home = installProgram("one");
        run(home.resolve("muster"));
        Path cache = caches(home.resolve("lib")).getFirst();
        for (long size : List.of(100_000L, 0L)) {
            try (RandomAccessFile file = new RandomAccessFile(cache.toFile(), "rw")) {
                file.setLength(size);
            }

            assertAnswers(run(home.resolve("muster")));

            assertThat(Files.size(cache)).isGreaterThan(100_000);
        }
    }

    @Test
    void aCacheThatOthersMayWriteIsMadeAgain() throws Exception {
        Path home = installProgram("one");
        run(home.resolve("muster"));
        Path cache = caches(home.resolve("lib")).getFirst();
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rw-rw-rw-"));

        assertAnswers(run(home.resolve("muster")));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cache)))
                .isEqualTo("rw-r--r--");
    }

    @Test
    @Needs(Need.ROOT)
    void aCacheOfAnotherUserIsNotUsed() throws Exception {
        Path home = installProgram("one");
        run(home.resolve("muster"));
        Path cache = caches(home.resolve("lib")).getFirst();
        Files.setAttribute(cache, "unix:uid", 65534);

        assertAnswers(run(home.resolve("muster")));

        assertThat(Files.getAttribute(cache, "unix:uid")).isEqualTo(0);
    }

    @Test
    void aFolderThatEverybodyMayWriteHoldsNoCache() throws Exception {
        Path home = installProgram("one");
        Files.setPosixFilePermissions(home.resolve("lib"), PosixFilePermissions.fromString("rwxrwxrwx"));

        assertAnswers(run(home.resolve("muster")));

        assertThat(caches(home.resolve("lib"))).isEmpty();
        environment.put("MUSTER_PRINT_COMMAND", "1");
        assertThat(run(home.resolve("muster")).out()).contains("-XX:AOTCache=" + folder.resolve("home/.cache/muster"));
    }

    @Test
    @Needs(Need.ROOT)
    void theJavaThatAnotherUserRememberedIsNotBelieved() throws Exception {
        Path home = installProgram("one");
        Path bin = emptyPath();
        for (String tool : List.of("mkdir", "mv", "rm", "find", "uname", "sleep", "sync", "ls", "sha256sum")) {
            if (!Files.exists(bin.resolve(tool))) {
                Files.createSymbolicLink(bin.resolve(tool), Path.of("/usr/bin", tool));
            }
        }
        Path java = Files.createSymbolicLink(bin.resolve("java"), Path.of(JAVA_HOME, "bin/java"));
        Path fake = folder.resolve("fake");
        Files.createDirectories(fake.resolve("bin"));
        Files.writeString(fake.resolve("release"), "JAVA_VERSION=\"25\"\n");
        Files.writeString(fake.resolve("bin/java"), "#!/bin/sh\necho fake\n");
        assertThat(fake.resolve("bin/java").toFile().setExecutable(true, false)).isTrue();
        Path cache = Files.createDirectories(folder.resolve("home/.cache/muster"));
        Files.writeString(cache.resolve("java"), java + "\n" + fake + "\n");
        environment.remove("MUSTER_JAVA_HOME");
        environment.put("PATH", bin.toString());
        assertThat(run(home.resolve("muster")).out()).as("of this user").isEqualTo("fake\n");

        Files.setAttribute(cache.resolve("java"), "unix:uid", 65534);

        assertAnswers(run(home.resolve("muster")));
    }

    @Test
    void firstStartsAtOnceMakeOneCacheAndLeaveNothingBehind() throws Exception {
        Path home = installProgram("one");

        Outcome outcome = shell("for i in 1 2 3 4 5 6 7 8; do '" + home.resolve("muster") + "' & done; wait");

        assertThat(outcome).isEqualTo(new Outcome(0, "one\n".repeat(8), ""));
        try (Stream<Path> files = Files.list(home.resolve("lib"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .hasSize(4)
                    .noneMatch(name -> name.startsWith(".") || name.contains("lock"));
        }
    }

    @Test
    void whatAKilledStartLeftBehindIsClearedAway() throws Exception {
        Path home = installProgram("one");
        Path lib = home.resolve("lib");
        Path dead = Files.createDirectories(lib.resolve("muster.lock"));
        Files.writeString(dead.resolve("pid"), "99999999 " + shell("uname -n").out());
        Files.writeString(lib.resolve(".muster-99999999.aot"), "half a cache");

        assertAnswers(run(home.resolve("muster")));

        assertThat(dead).doesNotExist();
        assertThat(lib.resolve(".muster-99999999.aot")).doesNotExist();
        assertThat(caches(lib)).hasSize(1);
    }

    @Test
    void aCrashOfTheJvmWritesNoFileAndNothingToStandardOutput() throws Exception {
        Path home = installApp("app");
        Path work = Files.createDirectories(folder.resolve("work"));
        run(home.resolve("muster"), "version");

        Outcome outcome = shell("cd '" + work + "'; mkfifo wait; '" + home.resolve("muster")
                + "' detect --registry wait --timeout 60s & pid=$!; exec 3>wait; kill -SEGV $pid; wait $pid; echo $?");

        assertThat(outcome.out()).isEqualTo("134\n");
        assertThat(work.toFile().list()).containsExactly("wait");
    }

    @Test
    void aToolOfTheSearchPathIsNotRun() throws Exception {
        Path home = installApp("app");
        Path tools = Files.createDirectories(folder.resolve("tools"));
        Path trace = folder.resolve("trace");
        for (String name : List.of("nvidia-smi", "rocm-smi", "vulkaninfo")) {
            Path tool = Files.writeString(tools.resolve(name), "#!/bin/sh\necho run >> '" + trace + "'\n");
            Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        environment.put("PATH", tools + ":/usr/bin:/bin");

        assertThat(run(home.resolve("muster"), "detect").exit()).isZero();
        assertThat(trace).doesNotExist();
    }

    /// Its speed is measured by scripts/bench-timeout.
    @Test
    void aPipeThatNobodyWritesToIsOneSentenceAndAnExitCode() throws Exception {
        Path home = installApp("app");
        Path work = Files.createDirectories(folder.resolve("work"));

        Outcome outcome = shell("cd '" + work + "'; mkfifo wait; '" + home.resolve("muster")
                + "' detect --registry wait --timeout 200ms");

        assertThat(outcome.exit()).isEqualTo(ExitCode.NO);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err())
                .contains("'wait' was not read completely within 0.2 s")
                .hasLineCount(1);
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
        for (String command : List.of("mesh", "calibrate")) {
            assertThat(run(home.resolve("muster"), command).out()).doesNotContain("TieredStopAtLevel", "UseSerialGC");
        }
        assertThat(run(home.resolve("muster"), "serve").out().lines())
                .as("little memory, and processors for its clients")
                .contains("-XX:+UseSerialGC", "-Xmx96m", "-XX:TieredStopAtLevel=1");
    }

    /// Classes of the boot loader do not see the module `java.net.http`.
    @Test
    void commandsThatAskOthersOverHttpHaveAClassPath() throws Exception {
        Path home = installProgram("one");
        environment.put("MUSTER_PRINT_COMMAND", "1");

        for (List<String> words : List.of(
                List.of("serve"), List.of("fleet", "list"), List.of("plan", "llama-3.1-8b", "--fleet", "slurm"))) {
            assertThat(run(home.resolve("muster"), words.toArray(new String[0])).out())
                    .doesNotContain("-Xbootclasspath");
        }
        assertThat(run(home.resolve("muster"), "plan", "llama-3.1-8b").out()).contains("-Xbootclasspath");
    }

    @Test
    void aReadOnlyInstallationKeepsItsCacheInTheUsersCacheFolder() throws Exception {
        Path home = installProgram("one");
        Path cache = Files.createDirectories(folder.resolve("cache"));
        environment.put("XDG_CACHE_HOME", cache.toString());
        boolean root = System.getProperty("user.name").equals("root");
        if (root) {
            Program.require("setpriv");
        }
        openToAll(folder);
        cache.toFile().setWritable(true, false);
        assertThat(home.resolve("lib").toFile().setWritable(false, false)).isTrue();

        List<String> asOther =
                root ? List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups") : List.of();
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
                .hasValueSatisfying(line -> assertThat(line).startsWith("muster lists"));
    }

    @Test
    @Needs(Need.FULL_DEVICE)
    void aFullDiskIsOneSentenceAndAnExitCode() throws Exception {
        Path home = installApp("app");
        run(home.resolve("muster"));

        Outcome outcome = shell("'" + home.resolve("muster") + "' detect > /dev/full");

        assertThat(outcome.exit()).isEqualTo(ExitCode.CANNOT_WRITE);
        assertThat(outcome.err())
                .startsWith("muster: cannot write to standard output")
                .hasLineCount(1);
    }

    @Test
    @Needs(programs = "shellcheck")
    void shellcheckHasNothingToSay() throws Exception {
        Outcome outcome = shell("cd '" + LAUNCHER.getParent()
                + "' && shellcheck muster .ci/run scripts/lib/run-bench scripts/lib/in-sid"
                + " scripts/lib/build-kube-apiserver $(ls -p scripts | grep -v / | sed 's,^,scripts/,')");

        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.exit()).isZero();
    }

    private static void assertAnswers(Outcome outcome) {
        assertThat(outcome).isEqualTo(new Outcome(0, "one\n", ""));
    }

    /// The launcher beside the jars of this build, laid out as a bundle.
    private Path installApp(String name) throws IOException {
        Path home = install(name);
        InstalledMuster.copyJars(home);
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
        for (String name : List.of("Main", "CacheTraining")) {
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
                        source.resolve("CacheTraining.java").toString());
        assertThat(result).isZero();
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (String name : List.of("Main", "CacheTraining")) {
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
