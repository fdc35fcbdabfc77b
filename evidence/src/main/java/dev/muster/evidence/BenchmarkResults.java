// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence;

import dev.muster.evidence.measured.AccuracyReport;
import dev.muster.evidence.measured.AccuracyReport.Refusal;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Origin;
import dev.muster.evidence.measured.MeasuredRuns;
import dev.muster.evidence.results.Deployment;
import dev.muster.evidence.results.ResultForms;
import dev.muster.evidence.results.RunRows;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.catalogue.DeviceCatalogue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The runs in files of benchmark tools and trainings: `vllm bench`, `sglang.bench_serving`, `trtllm-bench`,
/// `llama-bench`, AIPerf, GenAI-Perf, inference-perf, guidellm, MLPerf, Megatron, torchtitan, MaxText and others,
/// recognised by their content. Immutable.
///
/// @param runs the runs, with the facts from other files and from the caller
/// @param refusals files without usable results, a sentence each
/// @since 0.1
public record BenchmarkResults(List<SourcedRun> runs, List<Refusal> refusals) {
    public BenchmarkResults {
        runs = List.copyOf(runs);
        refusals = List.copyOf(refusals);
    }

    /// A run and its file.
    ///
    /// @param source the file's name
    /// @param run the run
    /// @since 0.1
    public record SourcedRun(String source, MeasuredRun run) {}

    /// Returns the runs for keeping: under the names of their files, without folders.
    public List<MeasuredRuns.Kept> keptAt(Instant time) {
        return runs.stream()
                .map(one -> new MeasuredRuns.Kept(one.run(), name(one.source()), time))
                .toList();
    }

    private static String name(String path) {
        return path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    }

    /// Reads files. Files that only describe the setup, such as a system description or a manifest, add facts that
    /// results of the same folder and of folders below lack; if two of a folder contradict each other, neither is
    /// used.
    ///
    /// @param texts the content of files by name
    /// @param given facts from the caller, which override those of files
    public static BenchmarkResults read(Map<String, String> texts, Map<Fact, String> given) {
        List<SourcedRun> read = new ArrayList<>();
        List<Refusal> refusals = new ArrayList<>();
        Map<String, Map<Fact, String>> described = new HashMap<>();
        texts.forEach((name, text) -> {
            try {
                for (MeasuredRun run : ResultForms.read(text)) {
                    if (run.figures().isEmpty()) {
                        described.merge(folder(name), described(run), BenchmarkResults::joined);
                    } else {
                        read.add(new SourcedRun(name, run));
                    }
                }
            } catch (ResultsException e) {
                refusals.add(new Refusal(name, false, String.valueOf(e.getMessage())));
            }
        });
        List<SourcedRun> runs = new ArrayList<>();
        for (SourcedRun one : read) {
            MeasuredRun run = one.run();
            String folder = one.source();
            while (!folder.isEmpty()) {
                folder = folder(folder);
                run = run.withUnsaid(described.getOrDefault(folder, Map.of()));
            }
            runs.add(new SourcedRun(one.source(), run.with(given)));
        }
        return new BenchmarkResults(runs, refusals);
    }

    /// Returns the folder of a file or folder; blank for the one that names start from.
    private static String folder(String name) {
        return name.substring(0, Math.max(0, Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\'))));
    }

    /// Returns the facts of a description that hold for all runs, without the date.
    private static Map<Fact, String> described(MeasuredRun run) {
        Map<Fact, String> facts = new EnumMap<>(Fact.class);
        facts.putAll(run.facts());
        facts.remove(Fact.DATE);
        facts.remove(Fact.REQUESTS);
        return facts;
    }

    /// Joins two descriptions; empty if they contradict each other, since they are of different runs then.
    private static Map<Fact, String> joined(Map<Fact, String> one, Map<Fact, String> other) {
        Map<Fact, String> both = new EnumMap<>(Fact.class);
        both.putAll(one);
        for (Map.Entry<Fact, String> fact : other.entrySet()) {
            String known = both.putIfAbsent(fact.getKey(), fact.getValue());
            if (known != null && !isAlike(known, fact.getValue())) {
                return Map.of();
            }
        }
        return both;
    }

    /// Reports whether one name may be the other with or without a maker's name.
    private static boolean isAlike(String one, String other) {
        String first = letters(one);
        String second = letters(other);
        return first.contains(second) || second.contains(first);
    }

    private static String letters(String text) {
        StringBuilder letters = new StringBuilder();
        for (char c : text.toLowerCase(Locale.ROOT).toCharArray()) {
            if (Character.isLetterOrDigit(c)) {
                letters.append(c);
            }
        }
        return letters.toString();
    }

    /// Returns the runs that can be compared with predictions, and the reasons why others cannot.
    public BenchmarkResults learn(ModelCatalogue models, DeviceCatalogue devices) {
        List<SourcedRun> usable = new ArrayList<>();
        Set<Refusal> reasons = new LinkedHashSet<>(refusals);
        RunRows rows = new RunRows();
        for (SourcedRun one : runs) {
            Optional<Refusal> refusal = refusal(one, models, devices, rows, "");
            if (refusal.isEmpty()) {
                usable.add(one);
            } else {
                reasons.add(refusal.get());
            }
        }
        return new BenchmarkResults(usable, List.copyOf(reasons));
    }

    /// Returns the accuracy of predictions of the runs. A file is a group of rows.
    public AccuracyReport accuracy(ModelCatalogue models, DeviceCatalogue devices) {
        Set<Refusal> reasons = new LinkedHashSet<>(refusals);
        RunRows rows = new RunRows();
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (SourcedRun one : runs) {
            int number = counts.merge(one.source(), 1, Integer::sum);
            refusal(one, models, devices, rows, "run " + number).ifPresent(reasons::add);
        }
        AccuracyReport report = Accuracy.of(rows.tables(), models, devices).report();
        reasons.addAll(report.refusals());
        return new AccuracyReport(
                report.classes(), report.engines(), report.rows(), List.copyOf(reasons), report.knownRuns());
    }

    /// Adds the rows of a run and returns the reason if there are none.
    private static Optional<Refusal> refusal(
            SourcedRun one, ModelCatalogue models, DeviceCatalogue devices, RunRows rows, String id) {
        MeasuredRun run = one.run();
        if (run.origin() != Origin.MEASURED) {
            return Optional.of(new Refusal(
                    one.source(),
                    true,
                    run.origin() == Origin.MOCK
                            ? "a mock server answered in place of a model, so the figures tell nothing"
                            : "its figures were simulated by " + run.tool() + ", not measured"));
        }
        Deployment.Found found = Deployment.of(run, models, devices);
        if (found.deployment().isEmpty()) {
            return Optional.of(new Refusal(one.source(), true, found.problem(), found.missing()));
        }
        return rows.add(id, one.source(), run, found.deployment().get()) > 0
                ? Optional.empty()
                : Optional.of(new Refusal(one.source(), true, "nothing of what it measured can be predicted yet"));
    }
}
