// SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A private copy of the last commit with everything compiled, and beside it the classes of the mutant that is planted.
 * Maven copies the resources and says which libraries there are; the rest goes by plain javac, since a mutant is
 * compiled in a second that way.
 */
final class Workspace {
    private static final List<String> OPTIONS =
            List.of("-proc:none", "-nowarn", "-parameters", "-XDstringConcat=inline", "-Xmaxerrs", "20");
    private static final Pattern TEST_SOURCE =
            Pattern.compile("<source>\\$\\{project\\.basedir}/\\.\\./(testing/[a-z]+)<");
    private static final Pattern DEPENDENCY = Pattern.compile("<artifactId>muster-([a-z-]+)</artifactId>");
    private static final Pattern MODULE = Pattern.compile("<module>([a-z-]+)</module>");
    /** They hold the tree to its rules and measure it; where only they notice a mutant, no test states what it changed. */
    private static final Set<String> LEFT_OUT = Set.of("bench", "checks");

    private final Path folder;
    private final List<String> modules = new ArrayList<>();

    private Workspace(Path folder) {
        this.folder = folder;
    }

    static Workspace prepare(Options options) throws IOException, InterruptedException {
        String commit = output(options.home(), "git", "rev-parse", "--short=12", "HEAD");
        Path folder = options.work().isEmpty()
                ? Path.of(System.getProperty("java.io.tmpdir"), "muster-mutants-" + commit + "-" + options.seed())
                : Path.of(options.work()).toAbsolutePath();
        Workspace workspace = new Workspace(folder);
        Path prepared = folder.resolve("prepared");
        if (!Files.exists(prepared) || !Files.readString(prepared).equals(commit)) {
            workspace.clean();
            System.err.println("mutate: preparing a copy of " + commit + " in " + folder);
            Files.createDirectories(workspace.tree());
            workspace.copy(options.home());
        }
        workspace.readModules();
        if (!Files.exists(prepared)) {
            workspace.build();
            Files.writeString(prepared, commit);
        }
        return workspace;
    }

    Path folder() {
        return folder;
    }

    Path tree() {
        return folder.resolve("tree");
    }

    Path overlay() {
        return folder.resolve("overlay");
    }

    /** Those with code to be tested, in the order of the build. */
    List<String> modules() {
        return modules;
    }

    Path classes(String module) {
        return tree().resolve(module).resolve("target/classes");
    }

    Path testClasses(String module) {
        return tree().resolve(module).resolve("target/test-classes");
    }

    /** The module itself and those that depend on it, in the order of the build, which has each after what it needs. */
    List<String> dependants(String module) throws IOException {
        Set<String> all = new LinkedHashSet<>(List.of(module));
        for (String one : modules) {
            Matcher needed =
                    DEPENDENCY.matcher(Files.readString(tree().resolve(one).resolve("pom.xml")));
            while (needed.find()) {
                if (all.contains(needed.group(1))) {
                    all.add(one);
                }
            }
        }
        return List.copyOf(all);
    }

    /** Where tests of a module run; the overlay stands before it. */
    String testPath(String module) throws IOException {
        return testClasses(module)
                + File.pathSeparator
                + classes(module)
                + File.pathSeparator
                + Files.readString(tree().resolve(module).resolve("target/classpath"))
                        .strip();
    }

    /** Compiles a mutant into the overlay. Says no where the compiler refuses it. */
    boolean plant(Mutant mutant) throws IOException {
        delete(overlay());
        Files.createDirectories(overlay());
        Path planted = folder.resolve("planted").resolve(mutant.file());
        delete(folder.resolve("planted"));
        Files.createDirectories(planted.getParent());
        String text = Files.readString(tree().resolve(mutant.file()));
        Files.writeString(planted, text.substring(0, mutant.start()) + mutant.newText() + text.substring(mutant.end()));
        List<Path> main = new ArrayList<>(List.of(planted));
        if (!mutant.constant().isEmpty()) {
            for (String module : modules) {
                main.addAll(mentioning(mutant, tree().resolve(module).resolve("src/main/java")));
            }
        }
        Set<String> path = new LinkedHashSet<>();
        for (String module : modules) {
            path.addAll(List.of(testPath(module).split(Pattern.quote(File.pathSeparator))));
        }
        if (!compile(main, overlay(), String.join(File.pathSeparator, path), false)) {
            return false;
        }
        if (!mutant.constant().isEmpty()) {
            for (String module : dependants(mutant.module())) {
                List<Path> tests = mentioning(mutant, tree().resolve(module).resolve("src/test/java"));
                if (!tests.isEmpty()
                        && !compile(tests, overlay(), overlay() + File.pathSeparator + testPath(module), false)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Files that may have a copy of the constant that a mutant changes. */
    private List<Path> mentioning(Mutant mutant, Path sources) throws IOException {
        Pattern word = Pattern.compile("\\b" + Pattern.quote(mutant.constant()) + "\\b");
        List<Path> found = new ArrayList<>();
        for (Path file : sources(sources)) {
            if (!file.endsWith(mutant.file())
                    && word.matcher(Files.readString(file)).find()) {
                found.add(file);
            }
        }
        return found;
    }

    /** Leaves the results alone. */
    void clean() throws IOException {
        for (String part :
                List.of("prepared", "tree", "overlay", "planted", "worker", "shared", "baseline.tsv", "log")) {
            delete(folder.resolve(part));
        }
    }

    private void copy(Path home) throws IOException, InterruptedException {
        Path archive = folder.resolve("tree.tar");
        run(home, "git", "archive", "--output=" + archive, "HEAD");
        run(tree(), "tar", "-xf", archive.toString());
        Files.delete(archive);
        // Tests look for recordings beside the tree.
        Path shared = home.resolve("../shared").normalize();
        if (Files.isDirectory(shared)) {
            Files.createSymbolicLink(folder.resolve("shared"), shared);
        }
    }

    private void readModules() throws IOException {
        Matcher module = MODULE.matcher(Files.readString(tree().resolve("pom.xml")));
        while (module.find()) {
            if (!LEFT_OUT.contains(module.group(1))
                    && Files.isDirectory(tree().resolve(module.group(1)).resolve("src/main/java"))) {
                modules.add(module.group(1));
            }
        }
    }

    private void build() throws IOException, InterruptedException {
        run(
                tree(),
                "mvn",
                "-q",
                "-B",
                "-ntp",
                "compile",
                "dependency:build-classpath",
                "-Dmaven.main.skip=true",
                "-Dmaven.test.skip=true",
                "-Dmdep.outputFile=target/classpath",
                "-Dmdep.includeScope=test",
                "-pl",
                String.join(",", modules));
        for (String module : modules) {
            Path root = tree().resolve(module);
            if (!compile(sources(root.resolve("src/main/java")), classes(module), testPath(module), true)) {
                throw new IllegalStateException("the sources of " + module + " do not compile");
            }
        }
        for (String module : modules) {
            Path root = tree().resolve(module);
            List<Path> tests = new ArrayList<>(sources(root.resolve("src/test/java")));
            tests.addAll(sources(tree().resolve("testing/java")));
            Matcher shared = TEST_SOURCE.matcher(Files.readString(root.resolve("pom.xml")));
            while (shared.find()) {
                tests.addAll(sources(tree().resolve(shared.group(1))));
            }
            if (!compile(tests, testClasses(module), testPath(module), true)) {
                throw new IllegalStateException("the tests of " + module + " do not compile");
            }
            copyAll(root.resolve("src/test/resources"), testClasses(module));
            copyAll(tree().resolve("testing/resources"), testClasses(module));
        }
        Path worker = tree().resolve("scripts/lib/mutate/TestWorker.java");
        if (!compile(List.of(worker), folder.resolve("worker"), testPath(modules.getFirst()), true)) {
            throw new IllegalStateException("the test worker does not compile");
        }
    }

    private static boolean compile(List<Path> files, Path to, String path, boolean isReported) throws IOException {
        Files.createDirectories(to);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options = new ArrayList<>(OPTIONS);
            options.addAll(List.of("-d", to.toString(), "-cp", path));
            boolean isDone = compiler.getTask(
                            messages, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
                    .call();
            if (!isDone && isReported) {
                System.err.println(messages);
            }
            return isDone;
        }
    }

    private static List<Path> sources(Path root) throws IOException {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (Stream<Path> walk = Files.walk(root)) {
            return walk.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("module-info.java"))
                    .sorted()
                    .toList();
        }
    }

    private static void copyAll(Path from, Path to) throws IOException {
        if (!Files.isDirectory(from)) {
            return;
        }
        try (Stream<Path> walk = Files.walk(from)) {
            for (Path file : walk.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    static void delete(Path root) throws IOException {
        if (!Files.exists(root, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
                Files.delete(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void run(Path directory, String... command) throws IOException, InterruptedException {
        int status = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException(Arrays.toString(command) + " ended with " + status);
        }
    }

    private static String output(Path directory, String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }
}
