package dev.muster.cli.model;

import static dev.muster.cli.model.PredictedFigures.percent;

import dev.muster.cli.render.Answer;
import dev.muster.cli.render.Table;
import dev.muster.cli.render.Terminal;
import dev.muster.core.FixedText;
import dev.muster.core.Reading;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.plan.Planner;
import dev.muster.plan.ServingDocument;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.answer.Estimate;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.Rental;
import dev.muster.plan.memory.PublishedFormat;
import dev.muster.plan.model.ModelSummary;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A model on two machines, side by side. Where it does not fit, or breaks a limit, there are no figures, but the
/// reason and what would do.
///
/// @param model the model
/// @param request what was asked
/// @param a the one machine
/// @param b the other
public record CompareText(ModelSummary model, ServingRequest request, Side a, Side b) implements Answer {
    /// @param a the one machine as it was given
    /// @param b the other
    public CompareText(ModelSummary model, ServingRequest request, String a, String b, Planner.Comparison comparison) {
        this(model, request, new Side(a, comparison.here()), new Side(b, comparison.there()));
    }

    /// One machine.
    ///
    /// @param machine as it was given
    /// @param outcome what was asked and found
    public record Side(String machine, ServingOutcome outcome) {
        /// The plan; empty where nothing fits.
        Optional<ServingPlan> plan() {
            return outcome.answer() instanceof PlanAnswer.Feasible<ServingPlan> found
                    ? Optional.of(found.best())
                    : Optional.empty();
        }

        private ServingRequest request() {
            return outcome.request();
        }

        private String weights() {
            return ServingText.format(request().format(), request().architecture());
        }

        private String verdict() {
            if (plan().isPresent()) {
                return "yes";
            }
            return outcome.answer().considered().getFirst().memory().fits() ? "not within the limits" : "no";
        }
    }

    /// Figures that are compared, by their names in documents.
    private enum Figure {
        SPEED("tokens/s", "tokensPerSecond", plan -> Optional.of(plan.tokensPerSecond()), PredictedFigures::figure),
        TPOT(
                "TPOT",
                "timePerOutputTokenSeconds",
                plan -> Optional.of(plan.timePerOutputToken()),
                PredictedFigures::milliseconds),
        TTFT(
                "TTFT",
                "timeToFirstTokenSeconds",
                plan -> Optional.of(plan.timeToFirstToken()),
                PredictedFigures::milliseconds),
        QUEUED(
                "TTFT, all at once",
                "timeToFirstTokenQueuedSeconds",
                plan -> Optional.of(plan.timeToFirstTokenQueued()),
                PredictedFigures::milliseconds),
        COST(
                "USD per million tokens",
                "usdPerMillionTokens",
                plan -> plan.usdPerMillionTokens().find(),
                PredictedFigures::figure),
        ENERGY("J per token", "joulesPerToken", plan -> plan.joulesPerToken().find(), PredictedFigures::figure);

        private final String display;
        private final String key;
        private final Function<ServingPlan, Optional<Estimate>> value;
        private final Function<Estimate, String> text;

        Figure(
                String display,
                String key,
                Function<ServingPlan, Optional<Estimate>> value,
                Function<Estimate, String> text) {
            this.display = display;
            this.key = key;
            this.value = value;
            this.text = text;
        }
    }

    @Override
    public String text(Terminal terminal) {
        FactLines lines = FactLines.of(model, terminal);
        lines.add("asked", ServingText.asked(request));
        add(lines, "A", a);
        add(lines, "B", b);
        return lines + "\n" + table(terminal);
    }

    private static void add(FactLines lines, String label, Side side) {
        lines.add(label, side.machine());
        if (side.outcome().answer() instanceof PlanAnswer.Infeasible<ServingPlan> none) {
            lines.add(label + " is short", ServingText.reason(none.closest()));
            lines.addNearest(none.nearest());
        }
    }

    /// A line of the table.
    private record Line(String name, Function<Side, ?> value, Optional<Double> ratio) {
        static Line of(String name, Function<Side, ?> value) {
            return new Line(name, value, Optional.empty());
        }

        static Line ofPlan(String name, Function<ServingPlan, String> text) {
            return of(name, side -> side.plan().map(text));
        }
    }

    private String table(Terminal terminal) {
        List<Line> lines = new ArrayList<>();
        lines.add(Line.of("fits", Side::verdict));
        lines.add(Line.of("weights", Side::weights));
        lines.add(Line.ofPlan(
                "devices",
                plan -> plan.devices() + " of " + plan.pool().count() + " x "
                        + plan.pool().name()));
        lines.add(Line.ofPlan("engine", plan -> plan.software().display()));
        lines.add(Line.ofPlan("layout", ServingText::layout));
        lines.add(Line.ofPlan(
                "memory of each",
                plan -> percent(plan.memory().total() / plan.memory().capacity())));
        for (Figure figure : Figure.values()) {
            lines.add(new Line(
                    figure.display, side -> side.plan().flatMap(figure.value).map(figure.text), ratio(figure)));
        }
        lines.add(new Line("USD an hour", side -> usd(side).map(PredictedFigures::dollars), usdRatio()));
        return new Table<Line>(terminal)
                .left("", Line::name)
                .right("A", line -> line.value.apply(a))
                .right("B", line -> line.value.apply(b))
                .right(
                        "B / A",
                        line -> line.ratio.map(ratio -> FixedText.of(ratio, 2)).orElse(""))
                .render(lines);
    }

    private Optional<Double> ratio(Figure figure) {
        return ratio(
                a.plan().flatMap(figure.value).map(Estimate::p50),
                b.plan().flatMap(figure.value).map(Estimate::p50));
    }

    private Optional<Double> usdRatio() {
        return ratio(usd(a), usd(b));
    }

    private static Optional<Double> usd(Side side) {
        return side.plan().map(ServingPlan::rental).flatMap(Reading::find).map(Rental::usdPerHour);
    }

    private static Optional<Double> ratio(Optional<Double> first, Optional<Double> second) {
        return first.flatMap(one -> second.map(other -> other / one));
    }

    @Override
    public JsonValue json() {
        JsonObject.Builder ratios = JsonObject.builder();
        for (Figure figure : Figure.values()) {
            ratios.put(figure.key, ratio(figure), JsonNumber::of);
        }
        ratios.put("usdPerHour", usdRatio(), JsonNumber::of);
        return JsonObject.document("comparison")
                .put("model", model.name())
                .put("format", request.format().label())
                .put("inputTokens", request.input())
                .put("outputTokens", request.output())
                .put("concurrency", request.concurrency())
                .put("goal", request.goal().label())
                .put("a", json(a))
                .put("b", json(b))
                .put("ratios", ratios.build())
                .build();
    }

    private static JsonValue json(Side side) {
        JsonObject.Builder object = JsonObject.builder()
                .put("machine", side.machine())
                .put("format", side.request().format().label())
                .put(
                        "formatIsPublished",
                        PublishedFormat.is(
                                side.request().format(), side.request().architecture()))
                .put("fits", side.plan().isPresent());
        switch (side.outcome().answer()) {
            case PlanAnswer.Feasible<ServingPlan> found -> object.put("plan", ServingDocument.plan(found.best()));
            case PlanAnswer.Infeasible<ServingPlan> none ->
                object.put("reason", ServingText.reason(none.closest()))
                        .put("nearest", none.nearest(), JsonString::new);
            case PlanAnswer.Unanswered<ServingPlan> unknown -> object.put("reason", unknown.reason());
        }
        return object.build();
    }
}
