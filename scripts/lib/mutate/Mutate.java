// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Plants mutants one at a time and reports which of them tests notice; scripts/mutate says how it is called.
 */
final class Mutate {
    private static final double LEAST_SHARE = 0.9;

    private Mutate() {}

    /** What became of a mutant: its key, then `noticed` or `survived`, then the test or the reason. */
    private record Outcome(String key, String word, String detail) {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Options options = Options.parse(args);
        // Tests that are left behind would go on for minutes.
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly)));
        Workspace workspace = Workspace.prepare(options);
        Path results = workspace.folder().resolve("results.tsv");
        Map<String, Outcome> known = read(results, options.again());
        Map<String, String> equivalents = equivalents(options.home());
        Tests tests = new Tests(workspace, options.limit());

        Draw draw = new Draw(Sites.list(workspace, options.modules()), options.seed(), options.modules());
        List<Mutant> mutants = new ArrayList<>();
        List<String> words = new ArrayList<>();
        int noticed = 0;
        while (mutants.size() < options.count()) {
            Mutant mutant = draw.next();
            if (mutant == null) {
                break;
            }
            if (equivalents.containsKey(mutant.identity())) {
                System.out.println("equivalent   " + mutant + ": " + equivalents.get(mutant.identity()));
                draw.refuse();
                continue;
            }
            Outcome outcome = known.get(mutant.key());
            if (outcome == null) {
                outcome = plant(mutant, workspace, tests);
                Files.writeString(
                        results,
                        String.join("\t", outcome.key, outcome.word, outcome.detail) + "\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            }
            if (outcome.word.equals("not-compilable")) {
                draw.refuse();
                continue;
            }
            mutants.add(mutant);
            noticed += outcome.word.equals("noticed") ? 1 : 0;
            words.add(outcome.word);
            System.out.println(String.format(Locale.ROOT, "%3d %-12s ", mutants.size(), outcome.word) + mutant + "  ["
                    + outcome.detail + "]");
        }
        summary(mutants, words, noticed);
        workspace.clean();
        System.exit(noticed < LEAST_SHARE * mutants.size() ? 1 : 0);
    }

    private static Outcome plant(Mutant mutant, Workspace workspace, Tests tests)
            throws IOException, InterruptedException {
        if (!workspace.plant(mutant)) {
            return new Outcome(mutant.key(), "not-compilable", "");
        }
        Tests.Verdict verdict = tests.run(mutant);
        return new Outcome(mutant.key(), verdict.isNoticed() ? "noticed" : "survived", verdict.detail());
    }

    /** Later lines replace earlier ones. */
    private static Map<String, Outcome> read(Path results, boolean again) throws IOException {
        Map<String, Outcome> known = new LinkedHashMap<>();
        if (Files.exists(results)) {
            for (String line : Files.readAllLines(results)) {
                String[] fields = line.split("\t", 3);
                known.put(fields[0], new Outcome(fields[0], fields[1], fields[2]));
            }
        }
        if (again) {
            known.values().removeIf(one -> one.word.equals("survived"));
        }
        return known;
    }

    private static Map<String, String> equivalents(Path home) throws IOException {
        Map<String, String> reasons = new LinkedHashMap<>();
        for (String line : Files.readAllLines(home.resolve("scripts/lib/mutate/equivalents.tsv"))) {
            if (!line.startsWith("#") && !line.isBlank()) {
                String[] fields = line.split("\t", -1);
                if (fields.length != 6 || fields[5].isBlank()) {
                    throw new IllegalArgumentException(
                            "equivalents.tsv: write file, line, old, new, number and reason: " + line);
                }
                reasons.put(line.substring(0, line.lastIndexOf('\t')), fields[5]);
            }
        }
        return reasons;
    }

    private static void summary(List<Mutant> mutants, List<String> words, int noticed) {
        System.out.println();
        System.out.println("noticed " + noticed + " of " + mutants.size());
        for (int i = 0; i < mutants.size(); i++) {
            if (words.get(i).equals("survived")) {
                System.out.println("survived: " + mutants.get(i));
            }
        }
    }
}
