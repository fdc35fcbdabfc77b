// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.text.FixedText;
import dev.muster.evidence.BenchmarkResults;
import dev.muster.evidence.BenchmarkResults.SourcedRun;
import dev.muster.evidence.measured.AccuracyReport.Refusal;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Figure;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Count;
import dev.muster.report.text.Table;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The content of result files.
///
/// @param results runs of the files
/// @param learned runs that predictions can learn from
/// @param showsAll true if every run is listed
public record RunsText(BenchmarkResults results, BenchmarkResults learned, boolean showsAll) implements Report {
    /// The largest number of runs shown; more would hide those of other files.
    private static final int MOST = 30;

    @Override
    public String text(Terminal terminal) {
        List<SourcedRun> runs = results.runs();
        if (runs.isEmpty()) {
            return "";
        }
        int shown = showsAll ? runs.size() : Math.min(MOST, runs.size());
        String table = new Table<SourcedRun>(terminal)
                .flexible("FILE", 1, SourcedRun::source)
                .left("TOOL", 4, one -> one.run().tool())
                .flexible("MODEL", 2, one -> one.run().find(Fact.MODEL))
                .flexible("DEVICE", 3, one -> device(one.run()))
                .left("LOAD", 5, one -> load(one.run()))
                .right("TTFT", one -> milliseconds(one.run(), Metric.TTFT))
                .right("TPOT", one -> milliseconds(one.run(), Metric.TPOT))
                .right("TOK/S", one -> rate(one.run()))
                .right("STEP", 6, one -> milliseconds(one.run(), Metric.STEP_TIME))
                .render(runs.subList(0, shown));
        String more = shown == runs.size()
                ? ""
                : "and " + Count.of(runs.size() - shown, "more run") + "; --output wide shows all\n";
        return table + more + Count.of(learned.runs().size(), "run") + " of " + runs.size() + " to learn from\n";
    }

    private static Optional<String> device(MeasuredRun run) {
        Optional<String> count = run.find(Fact.DEVICES);
        return run.find(Fact.DEVICE)
                .map(name -> count.map(number -> number + " x ").orElse("") + name);
    }

    private static Optional<String> load(MeasuredRun run) {
        Optional<String> users = run.find(Fact.CONCURRENCY).map(count -> " " + count);
        Optional<String> rate = run.find(Fact.RATE).map(perSecond -> " " + perSecond + "/s");
        return run.load().map(load -> switch (load) {
            case CLOSED_LOOP -> "closed loop" + users.orElse("");
            case RATE -> "rate" + rate.orElse("");
            case BURST -> "burst";
            case STATIC_BATCH -> "batch" + users.orElse("");
        });
    }

    private static Optional<String> milliseconds(MeasuredRun run, Metric metric) {
        return run.findUsual(metric).map(figure -> FixedText.of(figure.value() * 1e3, 2) + " ms");
    }

    private static Optional<String> rate(MeasuredRun run) {
        for (Metric metric : List.of(
                Metric.OUTPUT_RATE,
                Metric.DECODE_RATE,
                Metric.PREFILL_RATE,
                Metric.TRAINING_DEVICE_RATE,
                Metric.TRAINING_RATE,
                Metric.TOTAL_RATE)) {
            Optional<Figure> figure = run.findUsual(metric);
            if (figure.isPresent()) {
                return Optional.of(FixedText.of(figure.get().value(), 2) + " " + metric.display());
            }
        }
        return Optional.empty();
    }

    @Override
    public JsonValue json() {
        return JsonObject.document("results")
                .put("runs", results.runs(), this::json)
                .put("refusals", learned.refusals(), RunsText::json)
                .build();
    }

    private JsonValue json(SourcedRun one) {
        JsonObject.ObjectBuilder facts = JsonObject.builder();
        one.run().facts().forEach((fact, text) -> facts.put(fact.text(), text));
        return JsonObject.builder()
                .put("file", one.source())
                .put("tool", one.run().tool())
                .put("origin", one.run().origin().name().toLowerCase(Locale.ROOT))
                .put("learned", learned.runs().contains(one))
                .put("facts", facts.build())
                .put("figures", one.run().figures(), RunsText::json)
                .build();
    }

    private static JsonValue json(Figure figure) {
        return JsonObject.builder()
                .put("metric", figure.metric().text())
                .put("statistic", figure.statistic().text())
                .put("value", JsonNumber.of(figure.value()))
                .put("unit", figure.metric().unit())
                .build();
    }

    private static JsonValue json(Refusal one) {
        return JsonObject.builder()
                .put("file", one.id())
                .put("reason", one.reason())
                .build();
    }
}
