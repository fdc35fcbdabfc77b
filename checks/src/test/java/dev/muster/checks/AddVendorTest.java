// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Adds a vendor as `docs/architecture.md` says: two rows, in two files.
class AddVendorTest {
    private static final Pattern KINDS = Pattern.compile("AcceleratorKind|CUDA_GPU");
    private static final String PROGRAM = """
            import dev.muster.core.AcceleratorRegistry;
            import dev.muster.detect.Backend;
            import dev.muster.detect.DetectBuilder;
            import dev.muster.detect.host.HostBuilder;
            import dev.muster.monitor.metric.MetricNames;
            import dev.muster.monitor.metric.MetricsText;
            import java.nio.charset.StandardCharsets;
            import java.util.List;

            public class Program implements java.util.function.Supplier<String> {
                public String get() {
                    AcceleratorRegistry registry = DetectBuilder.none()
                            .with(Backend.find("acme").orElseThrow())
                            .build(new HostBuilder()
                                    .file("/sys/bus/pci/devices/0000:17:00.0/uevent",
                                            "PCI_CLASS=120000\\nPCI_ID=1ABC:0001\\n")
                                    .build(), System.getLogger("vendor"))
                            .detect();
                    byte[] metrics = MetricsText.of(MetricNames.MUSTER, "host")
                            .write(registry, List.of(), MetricsText.Form.TEXT);
                    return registry.profiles().getLast().id() + " " + new String(metrics, StandardCharsets.UTF_8);
                }
            }
            """;

    @TempDir
    private Path folder;

    @Test
    void aSimpleVendorIsARowOfTwoTables() throws Exception {
        Map<String, String> rows = Map.of(
                "AcceleratorKind.java",
                "OTHER(\"other\"|ACME(\"acme\", \"Acme NPU\", \"acme-inc\", AI_ASIC, TRAINING_ASIC, 40, 10, 10),",
                "Backend.java",
                "NEC_VE(|ACME(VendorRow.of(\"acme\", AcceleratorKind.ACME).onBus(0x1abc)),");

        compile(withRows(rows));

        URL[] path = {folder.resolve("classes").toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(
                Stream.concat(Stream.of(path), classPath().stream()).toArray(URL[]::new),
                ClassLoader.getPlatformClassLoader())) {
            Object program = loader.loadClass("Program").getConstructor().newInstance();
            assertThat(program)
                    .isInstanceOfSatisfying(
                            Supplier.class,
                            answer -> assertThat(String.valueOf(answer.get()))
                                    .startsWith("acme:0 ")
                                    .contains("vendor=\"acme-inc\"", "kind=\"acme\""));
        }
    }

    /// The two files, and every source that decides by kind: one that lacks the new kind does not compile.
    ///
    /// @param rows by file: the row before which to add, and the row to add
    private List<Path> withRows(Map<String, String> rows) throws IOException {
        List<Path> sources = new ArrayList<>(List.of(write("Program.java", PROGRAM)));
        List<String> changed = new ArrayList<>();
        for (Path source : mainSources()) {
            String name = String.valueOf(source.getFileName());
            String text = Files.readString(source);
            if (rows.containsKey(name)) {
                String[] row = rows.getOrDefault(name, "").split("\\|", 2);
                assertThat(text).containsOnlyOnce(row[0]);
                sources.add(write(name, text.replace(row[0], row[1] + "\n" + row[0])));
                changed.add(name);
            } else if (KINDS.matcher(text).find() && text.contains("switch (")) {
                sources.add(source);
            }
        }
        assertThat(changed).containsExactlyInAnyOrderElementsOf(rows.keySet());
        return sources;
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

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private void compile(List<Path> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<String> options = List.of(
                "-d",
                Files.createDirectory(folder.resolve("classes")).toString(),
                "-proc:none",
                "-implicit:none",
                "-nowarn",
                "-cp",
                System.getProperty("java.class.path"));
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
            boolean succeeded = compiler.getTask(
                            messages, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertThat(succeeded).as(messages.toString()).isTrue();
        }
    }

    private static List<URL> classPath() throws IOException {
        List<URL> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            entries.add(Path.of(entry).toUri().toURL());
        }
        return entries;
    }
}
