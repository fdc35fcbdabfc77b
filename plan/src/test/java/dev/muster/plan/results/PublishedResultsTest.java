package dev.muster.plan.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.plan.accuracy.MeasuredRun;
import dev.muster.plan.accuracy.MeasuredRun.Fact;
import dev.muster.plan.accuracy.MeasuredRun.Metric;
import dev.muster.plan.accuracy.MeasuredRun.Statistic;
import dev.muster.plan.accuracy.ResultsException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// Every published file beside the checkout against what its index says that it holds.
class PublishedResultsTest {
    private static final Path FOLDER = Path.of("../../shared/fixtures/bench");
    private static final Pattern EXPECTED = Pattern.compile("(?:(\\d+):)?([^=]+)=(.*)");
    private static final Pattern NUMBER = Pattern.compile("([0-9.]+)(?:e(-?[0-9]+))?(ns|ms|s|T)?");
    /// Steady states of training logs may count other steps than the index does.
    private static final double CLOSE = 5e-5;

    @Test
    void everyFileTellsWhatItsIndexSaysOrIsRefusedForItsReason() throws IOException {
        requireFolder();
        Map<String, String> table = table();
        SoftAssertions softly = new SoftAssertions();
        for (Path file : files()) {
            String name = FOLDER.relativize(file).toString().replace('\\', '/');
            softly.assertThat(table).as("a new file without expectation").containsKey(name);
            check(name, Files.readString(file), table.getOrDefault(name, ""), softly);
        }
        softly.assertAll();
    }

    @Test
    void cutFilesAreReadInPartOrRefused() throws IOException {
        requireFolder();
        for (Path file : files()) {
            String text = Files.readString(file);
            for (int tenth = 1; tenth < 10; tenth++) {
                String cut = text.substring(0, text.length() * tenth / 10);
                try {
                    assertThat(ResultForms.read(cut)).isNotEmpty();
                } catch (ResultsException e) {
                    assertThat(e.getMessage()).isNotBlank();
                }
            }
        }
    }

    private static void check(String name, String text, String expected, SoftAssertions softly) {
        if (expected.startsWith("refused=")) {
            String reason = expected.substring("refused=".length()).replace('_', ' ');
            assertThatThrownBy(() -> ResultForms.read(text))
                    .as(name)
                    .isInstanceOf(ResultsException.class)
                    .hasMessageContaining(reason);
            return;
        }
        List<MeasuredRun> runs;
        try {
            runs = ResultForms.read(text);
        } catch (ResultsException e) {
            softly.fail(name + " is refused: " + e.getMessage());
            return;
        }
        for (String word : expected.split(" ", -1)) {
            Matcher matcher = EXPECTED.matcher(word);
            if (matcher.matches()) {
                int run = matcher.group(1) == null ? 1 : Integer.parseInt(matcher.group(1));
                softly.assertThat(runs.size()).as(name).isGreaterThanOrEqualTo(run);
                if (runs.size() >= run) {
                    check(name + " " + word, runs, runs.get(run - 1), matcher.group(2), matcher.group(3), softly);
                }
            } else {
                softly.assertThat(word).as(name).isEqualTo("description");
                softly.assertThat(runs.getFirst().figures()).as(name).isEmpty();
            }
        }
    }

    private static void check(
            String what, List<MeasuredRun> runs, MeasuredRun run, String key, String value, SoftAssertions softly) {
        int slash = key.indexOf('/');
        if (key.equals("runs")) {
            softly.assertThat(runs.size()).as(what).isEqualTo(Integer.parseInt(value));
        } else if (key.equals("origin")) {
            softly.assertThat(run.origin().name().toLowerCase(Locale.ROOT))
                    .as(what)
                    .isEqualTo(value);
        } else if (slash > 0) {
            OptionalDouble found = run.find(
                    Metric.find(key.substring(0, slash)).orElseThrow(),
                    Statistic.find(key.substring(slash + 1)).orElseThrow());
            softly.assertThat(value.equals("none") ? found.isEmpty() : isSame(found, value))
                    .as("%s: %s", what, found)
                    .isTrue();
        } else {
            Fact fact = Fact.find(key).orElseThrow();
            boolean isRight = value.equals("none")
                    ? run.find(fact).isEmpty()
                    : NUMBER.matcher(value).matches() && run.findNumber(fact).isPresent()
                            ? isSame(run.findNumber(fact), value)
                            : run.find(fact).orElse("").replace(' ', '_').equals(value);
            softly.assertThat(isRight).as("%s: %s", what, run.find(fact)).isTrue();
        }
    }

    /// Whether a number rounds to another as it is written, or is as good as equal.
    private static boolean isSame(OptionalDouble found, String written) {
        Matcher matcher = NUMBER.matcher(written);
        if (found.isEmpty() || !matcher.matches()) {
            return false;
        }
        String digits = matcher.group(1);
        String unit = matcher.group(3) == null ? "" : matcher.group(3);
        double scale = switch (unit) {
            case "ns" -> 1e-9;
            case "ms" -> 1e-3;
            case "T" -> 1e12;
            default -> 1;
        };
        int point = digits.indexOf('.');
        double half = Math.pow(10, point < 0 ? 0 : point + 1 - digits.length()) * 0.51 * scale;
        double value = Double.parseDouble(digits) * scale;
        return Math.abs(found.getAsDouble() - value) <= Math.max(half, value * CLOSE);
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> results = Files.walk(FOLDER.resolve("results"));
                Stream<Path> logs = Files.walk(FOLDER.resolve("training-logs"))) {
            return Stream.concat(results, logs)
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        }
    }

    private static Map<String, String> table() throws IOException {
        Map<String, String> table = new HashMap<>();
        try (InputStream stream = PublishedResultsTest.class.getResourceAsStream("published.txt")) {
            assertThat(stream).isNotNull();
            String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            text.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
                int blank = line.indexOf(' ');
                table.put(line.substring(0, blank), line.substring(blank + 1));
            });
        }
        return table;
    }

    private static void requireFolder() {
        if (!Files.isDirectory(FOLDER)) {
            String message = "NOT TESTED on published results: there is no folder "
                    + FOLDER.toAbsolutePath().normalize();
            System.out.println("!!! " + message);
            Assumptions.abort(message);
        }
    }
}
