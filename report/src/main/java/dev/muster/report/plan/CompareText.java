// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import static dev.muster.report.plan.PredictedFigures.percent;

import dev.muster.core.json.JsonValue;
import dev.muster.core.text.FixedText;
import dev.muster.plan.Planner;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.catalogue.PriceCatalogue.PriceAge;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.Rental;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A model on two machines, side by side. If it does not fit, or breaks a limit, the reason and the remedy take the
/// place of figures.
///
/// @param request the request
/// @param a name of the first machine
/// @param b name of the second machine
/// @param found outcomes of both
public record CompareText(ServingRequest request, String a, String b, Planner.Comparison found) implements Report {
    /// One machine.
    ///
    /// @param machine name as given
    /// @param outcome request and answer
    private record Side(String machine, ServingOutcome outcome) {
        /// Returns the plan; empty if nothing fits.
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

    /// The compared figures.
    private enum Figure {
        SPEED("tokens/s", plan -> Optional.of(plan.tokensPerSecond()), PredictedFigures::figure),
        TPOT("TPOT", plan -> Optional.of(plan.timePerOutputToken()), PredictedFigures::time),
        TTFT("TTFT", plan -> Optional.of(plan.timeToFirstToken()), PredictedFigures::time),
        QUEUED("TTFT, all at once", plan -> Optional.of(plan.timeToFirstTokenQueued()), PredictedFigures::time),
        COST("USD per million tokens", plan -> plan.usdPerMillionTokens().find(), PredictedFigures::figure),
        ENERGY("J per token", plan -> plan.joulesPerToken().find(), PredictedFigures::figure);

        private final String display;
        private final Function<ServingPlan, Optional<Estimate>> value;
        private final Function<Estimate, String> text;

        Figure(String display, Function<ServingPlan, Optional<Estimate>> value, Function<Estimate, String> text) {
            this.display = display;
            this.value = value;
            this.text = text;
        }
    }

    @Override
    public String text(Terminal terminal) {
        FactLines lines = FactLines.of(request.model(), terminal);
        boolean isCommon = here().request().format().equals(there().request().format());
        lines.add("request", ServingText.requestText(isCommon ? here().request() : request));
        add(lines, "A", here());
        add(lines, "B", there());
        return lines + "\n" + table(terminal);
    }

    private Side here() {
        return new Side(a, found.here());
    }

    private Side there() {
        return new Side(b, found.there());
    }

    private static void add(FactLines lines, String label, Side side) {
        lines.add(label, side.machine());
        if (side.outcome().answer() instanceof PlanAnswer.Infeasible<ServingPlan> none) {
            lines.add(
                    label + " is short",
                    FactLines.SENTENCES.reason(none.closest().shortfall()));
            lines.addRemedies(none.remedies());
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
                    figure.display,
                    side -> side.plan().flatMap(figure.value).map(figure.text),
                    found.ratio(plan -> figure.value.apply(plan).map(Estimate::p50))));
        }
        lines.add(new Line(
                "USD an hour",
                side -> side.plan().flatMap(CompareText::usd).map(PredictedFigures::dollars),
                found.ratio(CompareText::usd)));
        lines.add(Line.of(
                "price of",
                side -> side.plan().flatMap(plan -> plan.rental().find()).map(CompareText::priceOf)));
        return new Table<Line>(terminal)
                .left("", Line::name)
                .right("A", line -> line.value.apply(here()))
                .right("B", line -> line.value.apply(there()))
                .right(
                        "B / A",
                        line -> line.ratio.map(ratio -> FixedText.of(ratio, 2)).orElse(""))
                .render(lines);
    }

    private static String priceOf(Rental rental) {
        return rental.offer().date() + (rental.age().filter(PriceAge::isStale).isPresent() ? ", stale" : "");
    }

    private static Optional<Double> usd(ServingPlan plan) {
        return plan.rental().find().map(Rental::usdPerHour);
    }

    @Override
    public JsonValue json() {
        return ServingDocument.comparison(request, a, b, found);
    }
}
