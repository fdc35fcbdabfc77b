// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/// Changes of a few main sources and tables, compiled in a folder and run before the classes of the build. What was not
/// changed is as in the build, so that a test shows which files an addition takes.
final class ChangedSources {
    private static final int LIMIT_SECONDS = 60;
    private static final Pattern JAVA_FILE = Pattern.compile("[A-Za-z]+\\.java");

    private final Path classes;
    private final Map<String, String> sources = new LinkedHashMap<>();
    private final Set<String> tables = new TreeSet<>();

    ChangedSources(Path folder) {
        classes = folder.resolve("classes");
    }

    /// Changes the only main source of that name.
    void change(String name, UnaryOperator<String> change) throws IOException {
        Path source = mainSources().stream()
                .filter(file -> file.endsWith(name))
                .reduce((_, _) -> {
                    throw new IllegalStateException("there are several " + name);
                })
                .orElseThrow();
        String old = Files.readString(source);
        String text = change.apply(old);
        assertThat(text).as(name).isNotEqualTo(old);
        sources.put(name, text);
    }

    /// Adds a main source.
    void add(String name, String text) {
        sources.put(name, text);
    }

    /// Adds a row to a table of the module `plan`, or a table with such a text.
    void addRows(String table, String rows) throws IOException {
        Path path = Path.of("dev/muster/plan").resolve(table);
        Path old = Path.of("../plan/src/main/resources").resolve(path);
        Path copy = classes.resolve(path);
        Files.createDirectories(copy.resolveSibling("."));
        Files.writeString(copy, (Files.exists(old) ? Files.readString(old) : "") + rows);
        tables.add(table);
    }

    /// The names of the sources that were changed or added.
    Set<String> sources() {
        return sources.keySet();
    }

    /// The names of the tables that were changed or added.
    Set<String> tables() {
        return tables;
    }

    /// Compiles what was changed, and every main source that mentions a type: one that needs an opinion on each of its
    /// values does not compile without one on the new value.
    void compile(String type) throws IOException {
        List<Path> all = new ArrayList<>();
        Path changed = Files.createDirectories(classes.resolveSibling("sources"));
        for (Map.Entry<String, String> source : sources.entrySet()) {
            all.add(Files.writeString(changed.resolve(source.getKey()), source.getValue()));
        }
        Pattern word = Pattern.compile("\\b" + type + "\\b");
        for (Path file : mainSources()) {
            boolean isChanged = sources.containsKey(String.valueOf(file.getFileName()));
            if (!isChanged && word.matcher(Files.readString(file)).find()) {
                all.add(file);
            }
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<String> options = List.of(
                "-d",
                Files.createDirectories(classes).toString(),
                "-proc:none",
                "-implicit:none",
                "-nowarn",
                "-cp",
                System.getProperty("java.class.path"));
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
            boolean succeeded = compiler.getTask(
                            messages, files, null, options, null, files.getJavaFileObjectsFromPaths(all))
                    .call();
            assertThat(succeeded).as(messages.toString()).isTrue();
        }
    }

    /// Runs the program with the changes and returns all that it prints.
    String run(String arguments) throws IOException, InterruptedException {
        return runMain("dev.muster.cli.Main", arguments);
    }

    /// Runs a class with the changes and returns all that it prints.
    String runMain(String main, String arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", // as the launcher does, like the two below
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classes + File.pathSeparator + System.getProperty("java.class.path"),
                main));
        command.addAll(List.of(arguments.split(" ", -1)));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        return output;
    }

    /// The rows of a table of `docs/architecture.md`, by their first column.
    static Map<String, String> documented(String heading) throws IOException {
        String page = Files.readString(Path.of("../docs/architecture.md"));
        String section =
                page.substring(page.indexOf("\n## " + heading + "\n") + 1).split("\n## ", 2)[0];
        Map<String, String> rows = new LinkedHashMap<>();
        section.lines().filter(line -> line.startsWith("| ")).forEach(line -> {
            String[] columns = line.split("\\|", -1);
            rows.put(columns[1].strip(), columns[2].strip());
        });
        assertThat(rows).as(heading).isNotEmpty();
        return rows;
    }

    /// The Java files that a text names.
    static List<String> javaFiles(String text) {
        return JAVA_FILE.matcher(text).results().map(found -> found.group()).toList();
    }

    private static List<Path> mainSources() throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path module : modules.map(path -> path.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(module)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(found::add);
                }
            }
        }
        return found;
    }
}
