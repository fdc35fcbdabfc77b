package dev.muster.cli.model;

import static dev.muster.cli.model.PredictedFigures.dollars;
import static dev.muster.cli.model.PredictedFigures.figure;
import static dev.muster.cli.model.PredictedFigures.milliseconds;
import static dev.muster.cli.model.PredictedFigures.percent;

import dev.muster.cli.render.Count;
import dev.muster.cli.render.Quantity;
import dev.muster.cli.render.Terminal;
import dev.muster.cli.render.TextTable;
import dev.muster.core.FixedText;
import dev.muster.core.Reading;
import dev.muster.core.json.JsonValue;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.ModelSummary;
import dev.muster.plan.search.DeviceMemoryUse;
import dev.muster.plan.search.Estimate;
import dev.muster.plan.search.KvNumber;
import dev.muster.plan.search.LimitBreach;
import dev.muster.plan.search.Rental;
import dev.muster.plan.search.ServingAnswer;
import dev.muster.plan.search.ServingGoal;
import dev.muster.plan.search.ServingLimits;
import dev.muster.plan.search.ServingPlan;
import dev.muster.plan.search.ServingRequest;
import dev.muster.plan.search.ServingSoftware;
import dev.muster.plan.time.StepLayout;
import dev.muster.plan.time.StepTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// How a model is served best, and what else was considered.
///
/// @param model the model
/// @param request what was asked
/// @param answer what was found
/// @param isFront whether the plans are listed that nothing beats, rather than the nearest to the best
/// @param explanation the arithmetic of the first plan, where it is asked for
public record ServingText(
        ModelSummary model,
        ServingRequest request,
        ServingAnswer answer,
        boolean isFront,
        Optional<ExplanationText> explanation) {
    private static final int SHOWN = 8;
    private static final int BAR = 40;
    private static final double MILLI = 1e3;

    /// For people.
    public String text(Terminal terminal) {
        FactLines lines = new FactLines(terminal).title(model.name());
        lines.add("parameters", model.parameters(), CheckpointText::parameters);
        lines.add("asked", RequestText.of(request) + limits());
        switch (answer) {
            case ServingAnswer.Feasible(ServingPlan best, var _) -> describe(lines, best);
            case ServingAnswer.Infeasible(var considered, var nearest) -> {
                lines.add("answer", reason(considered.getFirst()));
                String label = "would do";
                for (String sentence : nearest) {
                    lines.add(label, sentence);
                    label = "or";
                }
            }
        }
        return lines + "\n"
                + explanation
                        .map(arithmetic -> arithmetic.text(terminal) + "\n")
                        .orElse("") + table(terminal);
    }

    private String limits() {
        List<String> limits = new ArrayList<>();
        ServingLimits asked = request.limits();
        if (asked.firstToken() < Double.POSITIVE_INFINITY) {
            limits.add("a first token within " + milliseconds(asked.firstToken()));
        }
        if (asked.perToken() < Double.POSITIVE_INFINITY) {
            limits.add("at most " + milliseconds(asked.perToken()) + " per token");
        }
        if (asked.hasBudget()) {
            limits.add("at most " + dollars(asked.usdPerHour()) + " USD an hour");
        }
        return limits.isEmpty() ? "" : "; " + String.join(", ", limits);
    }

    /// Why nothing does, told by the plan that comes nearest.
    static String reason(ServingPlan nearest) {
        if (nearest.memory().fits()) {
            return "it fits on " + devices(nearest) + ", but not within the limits: "
                    + nearest.breaches().stream().map(ServingText::breach).collect(Collectors.joining(", "));
        }
        return "it does not fit on " + devices(nearest) + ": "
                + Quantity.of(bytes(nearest.memory().total())) + " are needed on each device that has "
                + Quantity.of(bytes(nearest.memory().capacity()));
    }

    private static String breach(LimitBreach breach) {
        return switch (breach.limit()) {
            case FIRST_TOKEN ->
                "the first token takes " + milliseconds(breach.predicted()) + ", " + percent(breach.excess())
                        + " too long";
            case PER_TOKEN ->
                "a token takes " + milliseconds(breach.predicted()) + ", " + percent(breach.excess()) + " too long";
            case USD_PER_HOUR ->
                dollars(breach.predicted()) + " USD an hour, " + dollars(breach.predicted() - breach.allowed())
                        + " too much";
        };
    }

    private static String devices(ServingPlan plan) {
        return plan.pool().count() + " x " + plan.pool().name();
    }

    private String requests(ServingPlan plan) {
        double rate = plan.tokensPerSecond().p50() / request.output();
        return FixedText.of(rate, rate < 10 ? 2 : 0);
    }

    private void describe(FactLines lines, ServingPlan best) {
        lines.add("answer", sentence(best));
        lines.add(
                "speed",
                figure(best.tokensPerSecond()) + " tokens/s over all sequences, " + requests(best) + " requests/s");
        lines.add("per token", milliseconds(best.perToken()));
        lines.add("first token", milliseconds(best.firstToken()) + " on an idle copy" + queued(best));
        lines.add("step", terms(best.step()));
        DeviceMemoryUse memory = best.memory();
        lines.add(
                "each device",
                Quantity.of(bytes(memory.weights())) + " weights (w), " + Quantity.of(bytes(memory.cache()))
                        + " keys and values in " + Byte.SIZE * KvNumber.bytes(best.software(), request.format())
                        + " bits (k), "
                        + Quantity.of(bytes(memory.workspace())) + " workspace (+) of "
                        + Quantity.of(bytes(memory.capacity())));
        lines.add("", bar(memory));
        lines.add("costs", best.rental(), _ -> costs(best));
        lines.add(
                "energy",
                best.joulesPerToken(),
                joules -> figure(joules)
                        + " J per token, the devices alone; idle is taken as a tenth of their power limit");
        lines.add("rests on", basis(best));
    }

    private String queued(ServingPlan best) {
        return request.concurrency() <= best.copies()
                ? ""
                : "; " + milliseconds(best.firstTokenQueued()) + " on average when all come at once";
    }

    private static String costs(ServingPlan plan) {
        Rental rental = plan.rental().find().orElseThrow();
        Estimate perMillion = plan.usdPerMillionTokens().find().orElseThrow();
        return dollars(rental.usdPerHour()) + " USD an hour to rent (" + rental.instances() + " x "
                + rental.offer().instance() + " of " + rental.offer().provider().display() + ", a price of "
                + rental.offer().date() + "), " + figure(perMillion) + " USD per million tokens";
    }

    private static String basis(ServingPlan plan) {
        String device = plan.pool().isMeasured() ? "what 'muster calibrate' measured here" : "a data sheet";
        ServingSoftware software = plan.software();
        String measured = software.measuredAs().display();
        if (plan.isMeasured()) {
            return "measurements of " + measured + " on such devices, and " + device;
        }
        String whose = software == software.measuredAs()
                ? "measurements of " + measured + " on other devices"
                : "measurements of " + measured + ", since nobody published any of " + software.display();
        return whose + ", and " + device + "; the bounds are twice as wide, which is a guess";
    }

    /// The plan in a sentence.
    public static String sentence(ServingPlan plan) {
        return plan.software().display() + " on " + plan.devices() + " of " + devices(plan) + ": "
                + (plan.copies() == 1 ? "one copy" : plan.copies() + " copies") + " over " + shape(plan.layout())
                + (plan.copies() > 1 ? " each" : "")
                + (plan.idle() > 0 ? "; " + Count.of(plan.idle(), "device") + " idle" : "");
    }

    private static String shape(StepLayout layout) {
        List<String> parts = new ArrayList<>();
        if (layout.tensor() > 1) {
            parts.add(layout.tensor() + " that share matrices");
        }
        if (layout.stages() > 1) {
            parts.add(layout.stages() + " stages");
        }
        if (layout.replicas() > 1) {
            parts.add(layout.replicas() + " that share experts");
        }
        return parts.isEmpty() ? "one device" : String.join(" x ", parts);
    }

    private static String bar(DeviceMemoryUse memory) {
        return new MemoryBar(BAR, memory.total(), memory.capacity())
                .part('w', memory.weights())
                .part('k', memory.cache())
                .part('+', memory.workspace())
                .toString();
    }

    private static String terms(StepTime step) {
        return FixedText.of(MILLI * step.products(), 2) + " ms products, "
                + (step.experts() > 0 ? FixedText.of(MILLI * step.experts(), 2) + " experts, " : "")
                + FixedText.of(MILLI * step.attention(), 2) + " attention, " + FixedText.of(MILLI * step.head(), 2)
                + " head, " + FixedText.of(MILLI * step.host(), 2) + " host, " + FixedText.of(MILLI * step.links(), 2)
                + " links";
    }

    private static Bytes bytes(double value) {
        return Bytes.of(Math.round(value));
    }

    @SuppressWarnings("ReferenceEquality") // the first equals of a record takes 10 ms (docs/decisions/0004)
    private String table(Terminal terminal) {
        List<ServingPlan> all = isFront ? answer.front() : answer.considered();
        List<ServingPlan> plans = isFront ? all : all.subList(0, Math.min(SHOWN, all.size()));
        if (plans.isEmpty()) {
            return terminal.dim("no plan of " + answer.considered().size() + " does") + "\n";
        }
        List<TextTable.Column> columns = new ArrayList<>(List.of(
                new TextTable.Column("", false, 0, false),
                new TextTable.Column("COPIES", true, 0, false),
                new TextTable.Column("TENSOR", true, 0, false),
                new TextTable.Column("STAGES", true, 0, false),
                new TextTable.Column("EXPERT", true, 3, false),
                new TextTable.Column("DEVICES", true, 1, false),
                new TextTable.Column("MEMORY", true, showsMoney() ? 2 : 0, false)));
        if (showsFirstToken()) {
            columns.add(new TextTable.Column("FIRST MS", true, 1, false));
        }
        columns.add(new TextTable.Column("MS/TOKEN", true, 0, false));
        columns.add(new TextTable.Column("TOKENS/S", true, 0, false));
        if (showsMoney()) {
            columns.add(new TextTable.Column("USD/HOUR", true, 0, false));
            columns.add(new TextTable.Column("USD/MTOKEN", true, 1, false));
        }
        if (request.goal() == ServingGoal.ENERGY) {
            columns.add(new TextTable.Column("J/TOKEN", true, 0, false));
        }
        columns.add(new TextTable.Column("VERDICT", false, 0, false));
        TextTable table = new TextTable(terminal, columns);
        ServingPlan first = answer.considered().getFirst();
        plans.forEach(plan -> table.add(row(plan, plan.isAccepted() && plan == first, terminal)));
        return table.render(true) + terminal.dim(below(all.size()));
    }

    private String below(int listed) {
        int considered = answer.considered().size();
        if (isFront) {
            return "No other plan of " + considered
                    + " has as many tokens, as little time, as few devices and as low a price.\n";
        }
        return listed > SHOWN ? considered - SHOWN + " more were considered\n" : "";
    }

    private boolean showsFirstToken() {
        return request.limits().firstToken() < Double.POSITIVE_INFINITY;
    }

    private boolean showsMoney() {
        return request.goal() == ServingGoal.COST || request.limits().hasBudget() || isFront;
    }

    private List<TextTable.Cell> row(ServingPlan plan, boolean chosen, Terminal terminal) {
        StepLayout layout = plan.layout();
        List<TextTable.Cell> cells = new ArrayList<>(List.of(
                cell(chosen ? QuantizationText.mark(terminal) : ""),
                cell(String.valueOf(plan.copies())),
                cell(String.valueOf(layout.tensor())),
                cell(String.valueOf(layout.stages())),
                cell(String.valueOf(layout.expert())),
                cell(String.valueOf(plan.devices())),
                cell(percent(plan.memory().total() / plan.memory().capacity()))));
        if (showsFirstToken()) {
            cells.add(cell(FixedText.of(MILLI * plan.firstTokenQueued().p50(), 0)));
        }
        cells.add(cell(FixedText.of(MILLI * plan.perToken().p50(), 1)));
        cells.add(cell(figure(plan.tokensPerSecond().p50())));
        if (showsMoney()) {
            cells.add(cell(plan.rental()
                    .find()
                    .map(rental -> dollars(rental.usdPerHour()))
                    .orElse(terminal.unknown())));
            cells.add(cell(middle(plan.usdPerMillionTokens(), terminal)));
        }
        if (request.goal() == ServingGoal.ENERGY) {
            cells.add(cell(middle(plan.joulesPerToken(), terminal)));
        }
        cells.add(cell(verdict(plan, chosen)));
        return cells;
    }

    private static String middle(Reading<Estimate> estimate, Terminal terminal) {
        return estimate.find().map(one -> figure(one.p50())).orElse(terminal.unknown());
    }

    private String verdict(ServingPlan plan, boolean chosen) {
        if (chosen) {
            return "chosen";
        }
        if (!plan.memory().fits()) {
            return "does not fit";
        }
        if (!plan.breaches().isEmpty()) {
            return plan.breaches().stream().map(ServingText::brief).collect(Collectors.joining(", "));
        }
        ServingPlan best = answer.considered().getFirst();
        return switch (request.goal()) {
            case THROUGHPUT ->
                percent(1
                                - plan.tokensPerSecond().p50()
                                        / best.tokensPerSecond().p50()) + " fewer tokens";
            case LATENCY -> slower(plan, best);
            case DEVICES ->
                plan.devices() == best.devices()
                        ? slower(plan, best)
                        : Count.of(plan.devices() - best.devices(), "device") + " more";
            case MEMORY -> {
                String more = percent(plan.memory().total() / best.memory().total() - 1);
                yield more.equals(percent(0)) ? slower(plan, best) : more + " more memory";
            }
            case COST -> more(plan.usdPerMillionTokens(), best.usdPerMillionTokens()) + " dearer";
            case ENERGY -> more(plan.joulesPerToken(), best.joulesPerToken()) + " more energy";
        };
    }

    private static String brief(LimitBreach breach) {
        return switch (breach.limit()) {
            case FIRST_TOKEN -> "first token " + percent(breach.excess()) + " over";
            case PER_TOKEN -> "per token " + percent(breach.excess()) + " over";
            case USD_PER_HOUR -> dollars(breach.predicted() - breach.allowed()) + " USD/h over";
        };
    }

    private static String slower(ServingPlan plan, ServingPlan best) {
        return percent(plan.perToken().p50() / best.perToken().p50() - 1) + " slower";
    }

    private static String more(Reading<Estimate> one, Reading<Estimate> best) {
        return percent(
                one.find().orElseThrow().p50() / best.find().orElseThrow().p50() - 1);
    }

    private static TextTable.Cell cell(String text) {
        return new TextTable.Cell(text, false);
    }

    /// For machines.
    public JsonValue json() {
        return ServingJson.of(this);
    }
}
