// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The examples of the documentation are the very ones that are compiled, and run where they can be: what stands
/// behind `<!-- example: NAME -->` on a page stands between `// begin NAME` and `// end NAME` in a source.
class DocumentationTest {
    private static final Path GUIDES = Path.of("../docs/guides");
    private static final Path INDEX = Path.of("../docs/README.md");
    private static final Path EXAMPLES = Path.of("src/test/java/dev/muster/checks/guides");
    /// Modules that have their examples themselves, since only they have the libraries.
    private static final List<Path> WITH_EXAMPLES = List.of(
            Path.of("../micrometer/src/test/java/dev/muster/micrometer"),
            Path.of("../opentelemetry/src/test/java/dev/muster/opentelemetry"),
            Path.of("../spring/src/test/java/dev/muster/spring"));
    /// Examples compiled here and not by the build.
    private static final Path APART = Path.of("src/test/examples");

    private static final Pattern BLOCK =
            Pattern.compile("(?:<!-- example: ([a-z0-9-]+) -->\n+)?```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern SOURCE = Pattern.compile("// begin ([a-z0-9-]+)\n(.*?)// end \\1\n", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]*)(?:#([^)]*))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    @TempDir
    private Path output;

    @Test
    void everyExampleIsOneThatIsCompiled() throws IOException {
        Map<String, String> sources = sources();
        TreeSet<String> shown = new TreeSet<>();
        for (Path page : pagesWithExamples()) {
            Matcher blocks = BLOCK.matcher(Files.readString(page));
            while (blocks.find()) {
                String name = blocks.group(1);
                assertThat(name)
                        .as("%s: the block needs a line <!-- example: NAME --> before it:\n%s", page, blocks.group(2))
                        .isNotNull();
                assertThat(sources).as("%s: example %s", page, name).containsKey(name);
                assertThat(unspaced(blocks.group(2)))
                        .as("%s: example %s", page, name)
                        .isEqualTo(unspaced(sources.getOrDefault(name, "")));
                shown.add(name);
            }
        }
        assertThat(shown).isEqualTo(new TreeSet<>(sources.keySet()));
    }

    /// ONNX Runtime's jar brings 54 MB of native libraries; its sources say as well what compiles.
    @Test
    void examplesCompileAgainstSources() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        String classPath = System.getProperty("java.class.path");
        List<String> options = List.of("-d", output.toString(), "-proc:none", "-implicit:none", "-cp", classPath);
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<Path> sources = javaFiles(APART);
            assertThat(sources).isNotEmpty();
            boolean succeeded = compiler.getTask(
                            messages, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertThat(succeeded).as(messages.toString()).isTrue();
        }
        assertThat(classPath.split(File.pathSeparator)).anyMatch(entry -> entry.endsWith("-sources.jar"));
    }

    @Test
    void everyFileAndHeadingThatTheDocumentationLinksToIsThere() throws IOException {
        List<Path> pages = new ArrayList<>(indexed());
        pages.addAll(markdown(Path.of("..")));
        pages.addAll(markdown(Path.of("../docs/decisions")));
        pages.add(INDEX);
        for (Path page : pages) {
            Matcher links = LINK.matcher(Files.readString(page));
            while (links.find()) {
                Path file = links.group(1).isEmpty() ? page : page.resolveSibling(links.group(1));
                assertThat(file).as(page.toString()).exists();
                if (links.group(2) != null) {
                    assertThat(anchors(file)).as("%s: %s", page, links.group()).contains(links.group(2));
                }
            }
        }
    }

    @Test
    void everyPageIsInTheIndex() throws IOException {
        Matcher links = LINK.matcher(Files.readString(INDEX));
        List<Path> linked = links.results()
                .map(link -> INDEX.resolveSibling(link.group(1)).normalize())
                .toList();
        for (Path page : indexed()) {
            assertThat(linked).contains(page.normalize());
        }
    }

    /// The names that headings of a page have in links, as GitHub makes them.
    private static List<String> anchors(Path page) throws IOException {
        return HEADING.matcher(Files.readString(page))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    private static List<Path> indexed() throws IOException {
        List<Path> pages = new ArrayList<>(markdown(GUIDES));
        pages.addAll(markdown(Path.of("../docs/engines")));
        pages.addAll(markdown(Path.of("../docs")));
        pages.remove(INDEX);
        return pages;
    }

    private static List<Path> pagesWithExamples() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(Path.of("../README.md"), Path.of("../docs/library.md")));
        pages.addAll(markdown(GUIDES));
        return pages;
    }

    private static List<Path> markdown(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    private static List<Path> javaFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
    }

    private static Map<String, String> sources() throws IOException {
        List<Path> files = new ArrayList<>(javaFiles(EXAMPLES));
        files.addAll(javaFiles(APART));
        for (Path folder : WITH_EXAMPLES) {
            files.addAll(javaFiles(folder));
        }
        Map<String, String> examples = new HashMap<>();
        for (Path file : files) {
            Matcher found = SOURCE.matcher(Files.readString(file));
            while (found.find()) {
                assertThat(examples.put(found.group(1), found.group(2)))
                        .as("example %s is there twice", found.group(1))
                        .isNull();
            }
        }
        return examples;
    }

    /// Pages may break lines otherwise than the formatter.
    private static String unspaced(String code) {
        return code.replaceAll("\\s+", "");
    }
}
