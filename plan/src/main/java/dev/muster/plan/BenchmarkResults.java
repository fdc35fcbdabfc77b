package dev.muster.plan;

import dev.muster.plan.accuracy.AccuracyReport;
import dev.muster.plan.accuracy.AccuracyReport.Refusal;
import dev.muster.plan.accuracy.MeasuredRun;
import dev.muster.plan.accuracy.MeasuredRun.Fact;
import dev.muster.plan.accuracy.MeasuredRun.Origin;
import dev.muster.plan.accuracy.MeasuredRuns;
import dev.muster.plan.accuracy.ResultsException;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.ModelCatalogue;
import dev.muster.plan.results.Deployment;
import dev.muster.plan.results.ResultForms;
import dev.muster.plan.results.RunRows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Files that benchmark tools and trainings wrote: `vllm bench`, `sglang.bench_serving`, `trtllm-bench`,
/// `llama-bench`, AIPerf, GenAI-Perf, inference-perf, guidellm, MLPerf, Megatron, torchtitan, MaxText and others,
/// recognised by their content. Immutable.
///
/// @param runs the runs, with what other files and the caller say beside them
/// @param refusals files that nothing can be learned from, a sentence each
/// @since 0.1
public record BenchmarkResults(List<SourcedRun> runs, List<Refusal> refusals) {
    /// Copies the lists.
    public BenchmarkResults {
        runs = List.copyOf(runs);
        refusals = List.copyOf(refusals);
    }

    /// A run and the file that told it.
    ///
    /// @param source the file's name
    /// @param run the run
    /// @since 0.1
    public record SourcedRun(String source, MeasuredRun run) {}

    /// Runs that can be held against predictions, and why others cannot.
    ///
    /// @param runs those that can
    /// @param refusals a sentence for each file and reason
    /// @since 0.1
    public record Learned(List<SourcedRun> runs, List<Refusal> refusals) {
        /// Copies the lists.
        public Learned {
            runs = List.copyOf(runs);
            refusals = List.copyOf(refusals);
        }

        /// The runs as they are kept: by the names of their files, without folders.
        public List<MeasuredRuns.Kept> keptAt(Instant time) {
            return runs.stream()
                    .map(one -> new MeasuredRuns.Kept(one.run(), name(one.source()), time))
                    .toList();
        }
    }

    private static String name(String path) {
        return path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    }

    /// Reads files. Those that only describe what ran, such as a system description or a manifest, say what the others
    /// do not.
    ///
    /// @param texts the content of files by name
    /// @param given what the caller says; it comes before what files say
    public static BenchmarkResults read(Map<String, String> texts, Map<Fact, String> given) {
        List<SourcedRun> read = new ArrayList<>();
        List<Refusal> refusals = new ArrayList<>();
        Map<Fact, String> described = new EnumMap<>(Fact.class);
        new LinkedHashMap<>(texts).forEach((name, text) -> {
            try {
                for (MeasuredRun run : ResultForms.read(text)) {
                    if (run.figures().isEmpty()) {
                        run.facts().forEach(described::putIfAbsent);
                    } else {
                        read.add(new SourcedRun(name, run));
                    }
                }
            } catch (ResultsException e) {
                refusals.add(new Refusal(name, false, String.valueOf(e.getMessage())));
            }
        });
        // A device that files of one run describe is that of all; when it ran is not.
        described.remove(Fact.DATE);
        described.remove(Fact.REQUESTS);
        List<SourcedRun> runs = read.stream()
                .map(one -> new SourcedRun(
                        one.source(), one.run().withUnsaid(described).with(given)))
                .toList();
        return new BenchmarkResults(runs, refusals);
    }

    /// The runs that can be predicted.
    public Learned learn(ModelCatalogue models, DeviceCatalogue devices) {
        List<SourcedRun> usable = new ArrayList<>();
        Set<Refusal> reasons = new LinkedHashSet<>(refusals);
        RunRows rows = new RunRows();
        for (SourcedRun one : runs) {
            String problem = problem(one, models, devices, rows, "");
            if (problem.isEmpty()) {
                usable.add(one);
            } else {
                reasons.add(new Refusal(one.source(), true, problem));
            }
        }
        return new Learned(usable, List.copyOf(reasons));
    }

    /// How well the runs are predicted. A file is a group of rows.
    public AccuracyReport accuracy(ModelCatalogue models, DeviceCatalogue devices) {
        Set<Refusal> reasons = new LinkedHashSet<>(refusals);
        RunRows rows = new RunRows();
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (SourcedRun one : runs) {
            int number = counts.merge(one.source(), 1, Integer::sum);
            String problem = problem(one, models, devices, rows, "run " + number);
            if (!problem.isEmpty()) {
                reasons.add(new Refusal(one.source(), true, problem));
            }
        }
        AccuracyReport report = Accuracy.of(rows.tables(), models, devices).report();
        reasons.addAll(report.refusals());
        return new AccuracyReport(report.classes(), report.rows(), List.copyOf(reasons));
    }

    /// Adds the rows of a run; why there are none, or nothing.
    private static String problem(
            SourcedRun one, ModelCatalogue models, DeviceCatalogue devices, RunRows rows, String id) {
        MeasuredRun run = one.run();
        if (run.origin() != Origin.MEASURED) {
            return run.origin() == Origin.MOCK
                    ? "a mock server answered in place of a model, so the figures tell nothing"
                    : "its figures were simulated by " + run.tool() + ", not measured";
        }
        Deployment.Found found = Deployment.of(run, models, devices);
        if (found.deployment().isEmpty()) {
            return found.problem();
        }
        return rows.add(id, one.source(), run, found.deployment().get()) > 0
                ? ""
                : "nothing of what it measured can be predicted yet";
    }
}
