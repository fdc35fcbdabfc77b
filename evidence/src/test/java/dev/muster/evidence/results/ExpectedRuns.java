// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import dev.muster.evidence.results.form.ResultsException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;

/// The expected content of files: a table of lines such as `FILE runs=1 model=X 2:ttft/mean=12.5ms`, or
/// `FILE refused=reason`.
final class ExpectedRuns {
    private static final Pattern EXPECTED = Pattern.compile("(?:(\\d+):)?([^=]+)=(.*)");
    private static final Pattern NUMBER = Pattern.compile("([0-9.]+)(?:e(-?[0-9]+))?(ns|ms|s|T)?");
    /// Steady states of training logs may count other steps than the index does.
    private static final double CLOSE = 5e-5;

    private ExpectedRuns() {}

    /// Reports whether a text gives the expected runs.
    static void check(String name, String text, String expected, SoftAssertions softly) {
        if (expected.startsWith("refused=")) {
            String reason = expected.substring("refused=".length()).replace('_', ' ');
            softly.assertThatThrownBy(() -> ResultForms.read(text))
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
            boolean isNumber =
                    NUMBER.matcher(value).matches() && run.findNumber(fact).isPresent();
            boolean isRight = isNumber
                    ? isSame(run.findNumber(fact), value)
                    : run.find(fact).orElse("none").replace(' ', '_').equals(value);
            softly.assertThat(isRight).as("%s: %s", what, run.find(fact)).isTrue();
        }
    }

    /// Reports whether a number rounds to another as it is written, or is as good as equal.
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

    /// Returns the expectations by file.
    static Map<String, String> table(String name) throws IOException {
        Map<String, String> table = new LinkedHashMap<>();
        try (InputStream stream = ExpectedRuns.class.getResourceAsStream(name)) {
            assertThat(stream).isNotNull();
            String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            text.lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .forEach(line -> {
                        int blank = line.indexOf(' ');
                        table.put(line.substring(0, blank), line.substring(blank + 1));
                    });
        }
        return table;
    }
}
