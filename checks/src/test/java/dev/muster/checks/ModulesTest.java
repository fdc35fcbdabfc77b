// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.detect.Detector;
import dev.muster.evidence.Accuracy;
import dev.muster.fleet.Fleet;
import dev.muster.mesh.MeshSpec;
import dev.muster.model.ModelSize;
import dev.muster.plan.Planner;
import dev.muster.report.AnswerReport;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;

/// The libraries as Java modules.
class ModulesTest {
    private static final Path CONSUMER = Path.of("src/consumer/java");

    @TempDir
    private Path output;

    @Test
    void aModularProgramNeedsNothingButMuster() throws Exception {
        String muster = path(
                AcceleratorRegistry.class,
                Detector.class,
                ModelSize.class,
                Planner.class,
                MeshSpec.class,
                AnswerReport.class,
                Accuracy.class,
                Fleet.class,
                Load.class);
        List<String> options = List.of("-Xlint:all", "-Werror", "-p", muster, "-d", output.toString());

        assertThat(compile(options, sources(CONSUMER))).isEmpty();
        assertThat(run(muster + File.pathSeparator + output))
                .containsExactly(
                        "detects: true",
                        "reads what it wrote: true",
                        "plans by rules: true",
                        "plans: TP 4 x DP 2; emits: true; documents: llama-3.1-70b",
                        "ranks: [6.0, 4.0] [6.0, 4.0] [6.0, 4.0] [6.0, 4.0]");
    }

    /// javac's lint "exports", but for the annotations of JSpecify: to hand those on (`requires transitive`) would have
    /// every modular program need them.
    @Test
    void whatAModuleExportsNamesOnlyWhatItsUsersSee() throws Exception {
        List<String> options =
                new ArrayList<>(List.of("-Xlint:exports", "-proc:none", "-Xmaxwarns", "1000", "-d", output.toString()));
        options.addAll(List.of("-p", path(NullMarked.class, Load.class)));
        List<Path> sources = new ArrayList<>();
        for (String module :
                List.of("core", "detect", "model", "plan", "evidence", "mesh", "monitor", "fleet", "report")) {
            Path folder = Path.of("..", module, "src/main/java");
            options.addAll(List.of("--module-source-path", "dev.muster." + module + "=" + folder));
            sources.addAll(sources(folder));
        }

        assertThat(compile(options, sources))
                .filteredOn(message -> !message.contains("in module org.jspecify"))
                .isEmpty();
    }

    private static List<String> compile(List<String> options, List<Path> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(messages, Locale.ROOT, StandardCharsets.UTF_8)) {
            compiler.getTask(null, files, messages, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
        }
        return messages.getDiagnostics().stream()
                .filter(message -> message.getKind() != Diagnostic.Kind.NOTE)
                .map(Diagnostic::toString)
                .toList();
    }

    private List<String> run(String modulePath) throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process = new ProcessBuilder(
                        java.toString(),
                        "--enable-native-access=dev.muster.detect,dev.muster.mesh",
                        "-p",
                        modulePath,
                        "-m",
                        "example.consumer/example.consumer.Consumer")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        return text.lines().toList();
    }

    /// The places of classes: the jars of this build, or folders where only tests were asked for.
    private static String path(Class<?>... classes) throws URISyntaxException {
        List<String> places = new ArrayList<>();
        for (Class<?> one : classes) {
            places.add(Path.of(one.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString());
        }
        return String.join(File.pathSeparator, places);
    }

    private static List<Path> sources(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }
}
