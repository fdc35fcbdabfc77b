// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import static dev.muster.report.plan.PredictedFigures.figure;
import static dev.muster.report.plan.PredictedFigures.percent;

import dev.muster.core.json.JsonValue;
import dev.muster.core.text.FixedText;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.cost.ErrorInterval;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.ServingSimulation.Figures;
import dev.muster.plan.serving.ServingSimulation.Spread;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo.LatencyMetric;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Count;
import dev.muster.report.text.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// The effect of a load on a deployment.
///
/// @param request the request
/// @param simulation the result
/// @param curve the deployment under other loads; empty if not requested
public record SimulationText(
        SimulationRequest request, ServingSimulation simulation, List<ServingSimulation.LoadPoint> curve)
        implements Report {
    private static final double MILLI = 1e3;
    private static final String BLOCKS = "▁▂▃▄▅▆▇█";
    private static final String LETTERS = "_.-=+*%#";

    private record Row(String name, Spread spread, double scale, int digits, boolean grows, ErrorInterval interval) {
        String text(double seconds) {
            return grows ? "grows" : FixedText.of(scale * seconds, digits);
        }

        String within() {
            return grows ? "" : "x" + FixedText.of(interval.low(), 2) + " to x" + FixedText.of(interval.high(), 2);
        }
    }

    @Override
    public String text(Terminal terminal) {
        Figures figures = simulation.figures();
        FactLines lines = FactLines.of(request.serving().model(), terminal);
        lines.add("request", requestText(request, simulation.plan().request()));
        lines.add("answer", ServingText.sentence(simulation.plan()) + apart(simulation));
        lines.add(
                "throughput",
                figure(figures.tokensPerSecond()) + " tokens/s, " + figure(figures.requestsPerSecond())
                        + " requests/s: " + Count.of(figures.answered(), "request") + " in " + figure(figures.seconds())
                        + " s" + rejected());
        if (!figures.isStable()) {
            lines.add("load", unstable(request, figures));
        }
        if (request.targets().isAny()) {
            lines.add(
                    "goodput",
                    figure(figures.goodput()) + " requests/s within " + targets() + ", "
                            + percent(figures.answered() == 0 ? 0 : (double) figures.good() / figures.answered())
                            + " of all");
        }
        lines.add("KV cache", kvCache(terminal));
        lines.add(
                "running", sparkline(simulation.running(), terminal) + "  up to " + figure(most(simulation.running())));
        ServingSimulation.findKnee(curve)
                .ifPresent(knee -> lines.add(
                        "knee",
                        "at a load of " + figure(knee.load()) + ": "
                                + figure(knee.figures().tokensPerSecond()) + " tokens/s"));
        for (PlanNote note : simulation.notes()) {
            lines.add("based on", FactLines.SENTENCES.note(note));
        }
        return lines + "\n" + spreads(simulation, terminal);
    }

    /// Returns times as mean and quantiles, with the interval of measured values. Times that grow with the queue have
    /// no numbers.
    static String spreads(ServingSimulation simulation, Terminal terminal) {
        Figures figures = simulation.figures();
        ServingSimulation.Intervals intervals = simulation.intervals();
        boolean grows = !figures.isStable();
        List<Row> rows = List.of(
                new Row("TTFT ms", figures.timeToFirstToken(), MILLI, 0, grows, intervals.timeToFirstToken()),
                new Row("TPOT ms", figures.timePerOutputToken(), MILLI, 1, false, intervals.timePerOutputToken()),
                new Row("latency s", figures.latency(), 1, 2, grows, intervals.timePerOutputToken()));
        Table<Row> table = new Table<Row>(terminal)
                .left("", Row::name)
                .right("MEAN", row -> row.text(row.spread.mean()))
                .right("P50", row -> row.text(row.spread.p50()))
                .right("P90", row -> row.text(row.spread.p90()))
                .right("P99", row -> row.text(row.spread.p99()))
                .left("80 % INTERVAL", Row::within);
        return table.render(rows);
    }

    /// Returns the sentence on a load that no queue keeps up with.
    static String unstable(SimulationRequest request, Figures figures) {
        return "unstable: the queue grows; of " + request.load().display() + ", " + figure(figures.requestsPerSecond())
                + " are answered";
    }

    /// Returns the load and the tokens of its requests.
    static String requestText(SimulationRequest request, ServingRequest serving) {
        boolean isMean = request.load() instanceof ServingLoad.Replay
                || request.lengths().isPresent()
                || request.shortest() == SimulationRequest.SPREAD;
        return request.load().display() + ", " + serving.input() + " tokens in and " + serving.output() + " out"
                + (isMean ? " on average" : request.shortest() < 1 ? " at most" : "") + ", weights in "
                + ServingText.format(serving.format(), serving.architecture());
    }

    /// Returns the replicas for prefill and for decode, if they are disaggregated.
    static String apart(ServingSimulation simulation) {
        return simulation.decodeReplicas() == 0
                ? ""
                : "; " + simulation.replicas() + " of the replicas prefill, " + simulation.decodeReplicas() + " decode";
    }

    private String rejected() {
        return simulation.rejected() == 0
                ? ""
                : "; " + Count.of(simulation.rejected(), "request") + " rejected, since no replica can hold them";
    }

    private String targets() {
        List<String> parts = new ArrayList<>();
        for (LatencyMetric metric : LatencyMetric.values()) {
            request.targets()
                    .findSeconds(metric)
                    .ifPresent(most -> parts.add(metric.display() + " " + PredictedFigures.time(most)));
        }
        return String.join(", ", parts);
    }

    private String kvCache(Terminal terminal) {
        String preempted = simulation.preemptions() == 0
                ? ""
                : "; " + Count.of(simulation.preemptions(), "preemption") + ", " + simulation.recomputedTokens()
                        + " tokens recomputed";
        return sparkline(simulation.kvUse(), terminal) + "  up to " + percent(simulation.mostKvUse()) + " of "
                + simulation.kvTokens() + " tokens on each replica" + preempted;
    }

    /// Returns values over time, two periods in one character if there are many.
    private static String sparkline(List<Double> values, Terminal terminal) {
        double most = most(values);
        String levels = terminal.ascii() ? LETTERS : BLOCKS;
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < values.size(); i += 2) {
            double value = i + 1 < values.size() ? (values.get(i) + values.get(i + 1)) / 2 : values.get(i);
            int slo = most == 0 ? 0 : (int) Math.min(levels.length() - 1, levels.length() * value / most);
            line.append(levels.charAt(Math.max(0, slo)));
        }
        return line.toString();
    }

    private static double most(List<Double> values) {
        return values.isEmpty() ? 0 : Collections.max(values);
    }

    @Override
    public JsonValue json() {
        return ServingDocument.simulation(request, simulation, curve);
    }
}
