// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.checks.ExportedApi.Name;
import dev.muster.plan.ask.Parameter;
import dev.muster.plan.ask.ParameterValues;
import dev.muster.plan.ask.QuestionKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests that answers are values: sentences and names of options belong to the module `report` and to interfaces.
class AnswersAreValuesTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern DECLARED =
            Pattern.compile("OptionSpec\\s*\\.\\s*[a-z]\\w*\\(\\s*\"([a-z][a-z0-9-]*)\"");
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--([a-z][a-z0-9-]*)");

    /// Options of other programs, or of a program that is started, that have the name of one of ours.
    private static final Map<String, Set<String>> OTHERS = Map.ofEntries(
            Map.entry("detect/doctor/VendorChecks.java", Set.of("device")),
            Map.entry("detect/doctor/LibraryChecks.java", Set.of("device")),
            Map.entry("detect/doctor/HealthAdvice.java", Set.of("device")),
            Map.entry("detect/amd/AmdTools.java", Set.of("json")),
            Map.entry("detect/google/TpuProbe.java", Set.of("version")),
            Map.entry("detect/vendor/ToolFormat.java", Set.of("json")),
            Map.entry("detect/vulkan/VulkanProbe.java", Set.of("summary")),
            Map.entry("evidence/results/DescriptionForms.java", Set.of("model")),
            Map.entry("fleet/remote/SshHost.java", Set.of("json", "timeout")),
            Map.entry("fleet/slurm/SlurmSource.java", Set.of("all")),
            Map.entry("mesh/start/ForeignLauncher.java", Set.of("address", "launcher")));

    /// The table of parameters, and what it refuses: both name commands that measure a default.
    private static final Set<String> PARAMETERS = Set.of("plan/ask/Parameters.java", "plan/ask/Setup.java");

    /// Names of members that say why or what to do.
    private static final Set<String> ADVICE = Set.of(
            "advice",
            "assumption",
            "assumptions",
            "nearest",
            "note",
            "notes",
            "problem",
            "reason",
            "remedies",
            "remedy",
            "sentence",
            "sentences",
            "shortfall");

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> options() throws IOException {
        Set<String> options = new TreeSet<>();
        for (Path file : files(ROOT.resolve("cli/src/main/java"), ".java")) {
            DECLARED.matcher(text(file)).results().forEach(match -> options.add(match.group(1)));
        }
        Arrays.stream(QuestionKind.values())
                .flatMap(kind -> kind.parameters().stream())
                .map(Parameter::option)
                .forEach(options::add);
        return options;
    }

    @ParameterizedTest
    @ValueSource(strings = {"core", "detect", "model", "plan", "evidence", "mesh", "fleet"})
    void noTextBelowTheReportsNamesAnOption(String module) throws IOException {
        Set<String> options = options();
        assertThat(options).hasSizeGreaterThan(100).contains("engine", "quant", "synthetic", "prices", "timeout");
        List<String> named = new ArrayList<>();
        Path root = ROOT.resolve(module + "/src/main/java/dev/muster");
        for (Path file : files(root, ".java")) {
            String name = root.relativize(file).toString();
            if (!PARAMETERS.contains(name)) {
                Set<String> others = OTHERS.getOrDefault(name, Set.of());
                text(file)
                        .lines()
                        .filter(line -> !line.strip().startsWith("//"))
                        .flatMap(line -> LITERAL.matcher(line).results())
                        .flatMap(literal -> OPTION.matcher(literal.group(1)).results())
                        .map(match -> match.group(1))
                        .filter(Predicate.not(others::contains).and(options::contains))
                        .forEach(option -> named.add(name + ": --" + option));
            }
        }
        assertThat(named).isEmpty();
    }

    @Test
    void noRefusalOfALaunchNamesAnOptionOfOurs() throws IOException {
        Set<String> options = options();
        List<String> named = new ArrayList<>();
        for (Path file : files(ROOT.resolve("plan/src/main/resources/dev/muster/plan/launch"), ".csv")) {
            text(file)
                    .lines()
                    .filter(line -> line.contains(",refuse,"))
                    .flatMap(line -> OPTION.matcher(line).results())
                    .map(match -> match.group(1))
                    .filter(options::contains)
                    .forEach(option -> named.add(file.getFileName() + ": --" + option));
        }
        assertThat(named).isEmpty();
    }

    @Test
    void noAnswerOfAPlannerHasASentence() throws IOException, ClassNotFoundException {
        List<Name> names = Stream.concat(ExportedApi.names("plan").stream(), ExportedApi.names("fleet").stream())
                .filter(name -> isOfAnswers(name.owner().getPackageName()))
                .toList();
        assertThat(names)
                .filteredOn(name -> ADVICE.contains(name.name()))
                .extracting(name -> name.owner().getSimpleName())
                .contains("Infeasible", "Unanswered", "Refused", "FitAnswer", "ServingSimulation", "ModelShare");
        assertThat(names)
                .filteredOn(name -> ADVICE.contains(name.name()))
                .filteredOn(name -> name.type().getTypeName().contains("java.lang.String"))
                .filteredOn(name -> !Throwable.class.isAssignableFrom(name.owner()))
                // The reason for a usage error, which is an exception.
                .filteredOn(name -> !name.owner().equals(ParameterValues.class))
                .isEmpty();
    }

    /// Rows of catalogues have notes of their own.
    private static boolean isOfAnswers(String exported) {
        return exported.equals("dev.muster.fleet.plan")
                || (exported.startsWith("dev.muster.plan") && !exported.equals("dev.muster.plan.catalogue"));
    }
}
