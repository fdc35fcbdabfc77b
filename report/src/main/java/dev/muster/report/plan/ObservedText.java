// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.text.FixedText;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Figure;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import dev.muster.plan.cost.ErrorInterval;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Printable;
import dev.muster.report.text.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A running engine, its prediction, and the likely causes of a gap.
///
/// @param place address of the engine
/// @param run measured figures of the engine
/// @param predicted the prediction; empty if there is none
/// @param reason the reason why there is none; blank if there is one
/// @param causes likely causes of a gap
/// @param isKept true if predictions learn from the run
public record ObservedText(
        String place,
        MeasuredRun run,
        Optional<ServingSimulation> predicted,
        String reason,
        List<GapCause> causes,
        boolean isKept)
        implements Report {
    private static final double MILLI = 1e3;

    /// Copies the list.
    public ObservedText {
        causes = List.copyOf(causes);
    }

    /// A measured figure beside the predicted one.
    ///
    /// @param measured value in the metric's unit
    /// @param predicted predicted value; 0 if there is none
    private record Compared(Metric metric, double measured, double predicted, ErrorInterval interval) {
        boolean isWorse() {
            return predicted > 0
                    && (metric.isTime()
                            ? measured > predicted * interval.high()
                            : measured < predicted * interval.low());
        }

        private String text(double value) {
            return value <= 0
                    ? ""
                    : metric.isTime()
                            ? FixedText.of(MILLI * value, 1) + " ms"
                            : FixedText.of(value, 1) + " " + metric.unit();
        }

        private String verdict() {
            return predicted <= 0
                    ? ""
                    : isWorse()
                            ? "worse than predicted"
                            : measured >= predicted * interval.low() && measured <= predicted * interval.high()
                                    ? "as predicted"
                                    : "better than predicted";
        }
    }

    /// Reports whether a figure is worse than the interval of its prediction.
    public static boolean isSlow(MeasuredRun run, Optional<ServingSimulation> predicted) {
        return compared(run, predicted).stream().anyMatch(Compared::isWorse);
    }

    private static List<Compared> compared(MeasuredRun run, Optional<ServingSimulation> predicted) {
        List<Compared> all = new ArrayList<>();
        for (Metric metric : List.of(Metric.TTFT, Metric.TPOT, Metric.OUTPUT_RATE)) {
            run.findUsual(metric).map(Figure::value).ifPresent(value -> all.add(compared(metric, value, predicted)));
        }
        return all;
    }

    private static Compared compared(Metric metric, double measured, Optional<ServingSimulation> predicted) {
        if (predicted.isEmpty()) {
            return new Compared(metric, measured, 0, new ErrorInterval(1, 1));
        }
        ServingSimulation.Figures figures = predicted.get().figures();
        ServingSimulation.Intervals intervals = predicted.get().intervals();
        return switch (metric) {
            case TTFT ->
                new Compared(metric, measured, figures.timeToFirstToken().mean(), intervals.timeToFirstToken());
            case TPOT ->
                new Compared(metric, measured, figures.timePerOutputToken().mean(), intervals.timePerOutputToken());
            default -> new Compared(metric, measured, figures.tokensPerSecond(), intervals.throughput());
        };
    }

    private String number(Fact fact, int digits) {
        return FixedText.of(GapCause.number(run, fact), digits);
    }

    @Override
    public String text(Terminal terminal) {
        StringBuilder text = new StringBuilder(terminal.bold(Printable.of(run.find(Fact.MODEL)
                                .orElse("a model") + " under "
                        + run.find(Fact.ENGINE).orElse("an engine")
                        + run.find(Fact.RELEASE).map(release -> " " + release).orElse("") + " at " + place)))
                .append('\n');
        line(
                terminal,
                text,
                "load",
                number(Fact.RUNNING, 1) + " requests run, " + number(Fact.WAITING, 1) + " wait; "
                        + number(Fact.REQUESTS, 0) + " ended, with " + number(Fact.INPUT_TOKENS, 0) + " tokens in and "
                        + number(Fact.OUTPUT_TOKENS, 0) + " out");
        if (GapCause.number(run, Fact.KV_USE) > 0) {
            line(
                    terminal,
                    text,
                    "KV cache",
                    number(Fact.KV_USE, 0) + " % held, " + number(Fact.PREFIX_HITS, 0) + " % of prompt tokens cached");
        }
        text.append('\n')
                .append(new Table<Compared>(terminal)
                        .left("", one -> one.metric.display())
                        .right("MEASURED", one -> one.text(one.measured))
                        .right("PREDICTED", one -> one.text(one.predicted))
                        .right("P10", one -> one.text(one.predicted * one.interval.low()))
                        .right("P90", one -> one.text(one.predicted * one.interval.high()))
                        .left("", Compared::verdict)
                        .render(compared(run, predicted)));
        if (!reason.isEmpty()) {
            line(terminal, text, "no prediction", reason);
        }
        for (GapCause cause : causes) {
            line(terminal, text, "likely cause", cause.sentence());
        }
        if (isKept) {
            line(terminal, text, "kept", "plans of this deployment are corrected by this run; --no-store keeps none");
        }
        return text.toString();
    }

    private static void line(Terminal terminal, StringBuilder text, String label, String sentence) {
        String start = "  " + label + " ".repeat(Math.max(1, 14 - label.length()));
        terminal.wrap(text, start, start.length(), terminal.plain(Printable.of(sentence)));
    }

    @Override
    public JsonValue json() {
        JsonObject.ObjectBuilder facts = JsonObject.builder();
        run.facts().forEach((fact, value) -> facts.put(fact.text(), value));
        return JsonObject.document("observed")
                .put("url", place)
                .put("facts", facts.build())
                .put("figures", compared(run, predicted), ObservedText::json)
                .put("unpredicted", Optional.of(reason).filter(text -> !text.isEmpty()), JsonString::new)
                .put(
                        "causes",
                        causes,
                        cause -> JsonObject.builder()
                                .put("name", cause.name())
                                .put("sentence", cause.sentence())
                                .build())
                .put("kept", isKept)
                .build();
    }

    private static JsonValue json(Compared one) {
        JsonObject.ObjectBuilder object = JsonObject.builder()
                .put("metric", one.metric.text())
                .put("statistic", Statistic.MEAN.text())
                .put("measured", one.measured);
        return (one.predicted > 0
                        ? object.put("predicted", one.predicted)
                                .put("p10", one.predicted * one.interval.low())
                                .put("p90", one.predicted * one.interval.high())
                                .put("worse", one.isWorse())
                        : object)
                .build();
    }
}
