// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.conformance;

import dev.muster.core.json.JsonValue;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Runs every golden file of a folder and counts right answers by kind. Kinds that are not built are passed over;
/// answers marked as defects are counted apart and not compared.
public final class Conformance {
    private final DetectQuestion detect = new DetectQuestion();
    private final Map<String, Question> questions = Map.ofEntries(
            Map.entry("cli_detect", detect),
            Map.entry("accelerator", HardwareQuestions::accelerator),
            Map.entry("constant", Question.of(HardwareQuestions::constant, Conformance::isSameConstant)),
            Map.entry("profile", HardwareQuestions::profile),
            Map.entry("registry", RegistryQuestions::registry),
            Map.entry("registry_pretty", RegistryQuestions::pretty),
            Map.entry("registry_from_json", Question.of(RegistryQuestions::fromJson, RegistryQuestions::isSameReading)),
            Map.entry("requirement", RegistryQuestions::requirement),
            Map.entry("what_if", RegistryQuestions::whatIf),
            Map.entry("system_io", RegistryQuestions::systemIo),
            Map.entry("plan", PlanQuestions::plan),
            Map.entry("suggest_quantization", PlanQuestions::suggestion),
            Map.entry("estimate_memory", PlanQuestions::memory),
            Map.entry("estimate_memory_overflow", PlanQuestions::memory),
            Map.entry("training", PlanQuestions::training),
            Map.entry("model_format", PlanQuestions::modelFormat));

    private final PrintStream out;
    private final Map<String, Tally> tallies = new TreeMap<>();

    /// A run that prints differences and counts to a stream.
    public Conformance(PrintStream out) {
        this.out = out;
    }

    /// Runs the goldens of the given folder; exits with 1 if an answer differs.
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 1 || !Files.isDirectory(Path.of(arguments[0]))) {
            System.err.println("usage: scripts/conformance DIR, a folder with *.jsonl files");
            System.exit(2);
        }
        if (!new Conformance(System.out).run(Path.of(arguments[0]))) {
            System.exit(1);
        }
    }

    /// Runs every `*.jsonl` file of a folder; whether every answer was right, and there was at least one.
    public boolean run(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList()) {
                runFile(file);
            }
        }
        tallies.forEach((kind, tally) -> out.println(kind + " " + tally));
        if (!detect.deviations().isEmpty()) {
            out.println("cli_detect differs by rule (docs/deviations.md): " + new TreeMap<>(detect.deviations()));
        }
        return !tallies.isEmpty() && tallies.values().stream().allMatch(Tally::isClean);
    }

    private void runFile(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).isBlank()) {
                runLine(GoldenLine.parse(file.getFileName() + ":" + (i + 1), lines.get(i)));
            }
        }
    }

    private void runLine(GoldenLine line) {
        Question question = questions.get(line.kind());
        if (question == null) {
            return;
        }
        Tally tally = tallies.computeIfAbsent(line.kind(), _ -> new Tally());
        if (line.defect()) {
            tally.defects++;
            return;
        }
        tally.total++;
        String difference = findDifference(question, line);
        if (difference == null) {
            tally.passed++;
        } else {
            out.println(line.place() + " " + line.kind() + ": " + difference);
        }
    }

    private @Nullable String findDifference(Question question, GoldenLine line) {
        try {
            JsonValue actual = question.answer(line.input());
            return question.isRight(line.expected(), actual)
                    ? null
                    : question.explain(line.input(), line.expected(), actual);
        } catch (RuntimeException e) {
            return "input " + line.input().toText() + "\n  failed with " + e;
        }
    }

    private static final class Tally {
        private int passed;
        private int total;
        private int defects;

        boolean isClean() {
            return passed == total;
        }

        @Override
        public String toString() {
            return passed + "/" + total + (defects == 0 ? "" : " (" + defects + " known defects not compared)");
        }
    }

    /// The schema number may be recorded bare or under a name.
    private static boolean isSameConstant(JsonValue expected, JsonValue actual) {
        if (actual instanceof JsonValue.JsonNumber
                && expected instanceof JsonValue.JsonObject(Map<String, JsonValue> members)) {
            return members.size() == 1
                    && Json.isSame(members.values().iterator().next(), actual);
        }
        return Json.isSame(expected, actual);
    }

    /// One recorded question and answer.
    ///
    /// @param place file and line, for people
    /// @param kind the kind of question
    /// @param input the question
    /// @param expected the answer of ai-hwaccel
    /// @param defect true if the answer is known to be wrong, and so need not be given
    private record GoldenLine(String place, String kind, JsonValue input, JsonValue expected, boolean defect) {
        static GoldenLine parse(String place, String text) {
            JsonValue line = JsonValue.parse(text);
            return new GoldenLine(
                    place,
                    line.requireText("kind"),
                    line.require("input"),
                    line.require("expected"),
                    line.find("defect").isPresent());
        }
    }
}
