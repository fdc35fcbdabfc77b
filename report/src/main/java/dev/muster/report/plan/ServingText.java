// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import static dev.muster.report.plan.PredictedFigures.dollars;
import static dev.muster.report.plan.PredictedFigures.figure;
import static dev.muster.report.plan.PredictedFigures.percent;
import static dev.muster.report.plan.PredictedFigures.time;

import dev.muster.core.Reading;
import dev.muster.core.json.JsonValue;
import dev.muster.core.text.FixedText;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.Planner;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.cost.DeviceMemoryUse;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.cost.Rental;
import dev.muster.plan.cost.StepTime;
import dev.muster.plan.serving.ImageInput;
import dev.muster.plan.serving.ServingExplanation;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.Slo.LatencyMetric;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Count;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The best serving plan of a model, and the alternatives.
///
/// @param outcome request and answer
/// @param isFront true to list the Pareto front, rather than the plans nearest to the best
/// @param explanation explanation of the first plan, if requested
public record ServingText(ServingOutcome outcome, boolean isFront, Optional<ServingExplanation> explanation)
        implements Report {
    private static final int SHOWN = 8;
    private static final int BAR = 40;
    private static final double MILLI = 1e3;
    private static final double WORTH_SAYING = 0.02;

    private ServingRequest request() {
        return outcome.request();
    }

    private PlanAnswer<ServingPlan> answer() {
        return outcome.answer();
    }

    @Override
    public String text(Terminal terminal) {
        FactLines lines = FactLines.of(request().model(), terminal);
        lines.add("request", requestText(request()) + limits());
        switch (answer()) {
            case PlanAnswer.Feasible<ServingPlan> found -> describe(lines, found.best());
            case PlanAnswer.Infeasible<ServingPlan> none -> {
                lines.add("answer", FactLines.SENTENCES.reason(none.closest().shortfall()));
                lines.addRemedies(none.remedies());
            }
            case PlanAnswer.Unanswered<ServingPlan> unknown ->
                lines.add("answer", FactLines.SENTENCES.reason(unknown.reason()));
        }
        return lines + "\n"
                + explanation
                        .map(one -> ExplanationText.of(answer().considered().getFirst(), one, terminal) + "\n")
                        .orElse("")
                + table(terminal);
    }

    @Override
    public JsonValue json() {
        return ServingDocument.of(outcome, isFront, explanation);
    }

    static String requestText(ServingRequest request) {
        return Count.of(request.concurrency(), "sequence") + " of " + request.input() + " tokens in"
                + imageText(request.images()) + " and " + request.output() + " out, weights in "
                + format(request.format(), request.architecture()) + ", "
                + "goal: " + request.goal().display();
    }

    private static String imageText(ImageInput images) {
        return images.isAny()
                ? " (" + images.tokens() + " of " + Count.of(images.count(), "image") + " of " + images.width() + " x "
                        + images.height() + " pixels)"
                : "";
    }

    /// Returns a format, with a remark if the model is published in it.
    static String format(WeightFormat format, ModelArchitecture architecture) {
        return WeightFormat.isPublished(format, architecture) ? format.label() + " (as published)" : format.label();
    }

    private String limits() {
        List<String> limits = new ArrayList<>();
        for (LatencyMetric metric : List.of(LatencyMetric.TTFT, LatencyMetric.TPOT)) {
            request()
                    .slo()
                    .findSeconds(metric)
                    .ifPresent(most -> limits.add(metric.display() + " at most " + time(most)));
        }
        request().usdPerHour().ifPresent(most -> limits.add("at most " + dollars(most) + " USD an hour"));
        return limits.isEmpty() ? "" : "; " + String.join(", ", limits);
    }

    private static String devices(ServingPlan plan) {
        return plan.pool().count() + " x " + plan.pool().name();
    }

    private String requests(ServingPlan plan) {
        double rate = plan.tokensPerSecond().p50() / request().output();
        return figure(rate);
    }

    private void describe(FactLines lines, ServingPlan best) {
        lines.add("answer", sentence(best));
        lines.add(
                "throughput",
                figure(best.tokensPerSecond()) + " tokens/s over all sequences with their prefill, " + requests(best)
                        + " requests/s; "
                        + figure(best.timePerOutputToken()
                                .dividing(request().concurrency())
                                .p50())
                        + " tokens/s while they decode");
        lines.add("TPOT", time(best.timePerOutputToken()));
        lines.add("TTFT", time(best.timeToFirstToken()) + " on an idle replica" + queued(best));
        lines.add("step", terms(best.step()) + prompts(best));
        DeviceMemoryUse memory = best.memory();
        lines.add(
                "each device",
                Quantity.ofBytes(memory.weights()) + " weights (w), " + Quantity.ofBytes(memory.kvCache())
                        + " KV cache in "
                        + Planner.kvBits(best)
                        + " bits (k), "
                        + Quantity.ofBytes(memory.workspace()) + " workspace (+) of "
                        + Quantity.ofBytes(memory.capacity()));
        lines.add("", bar(memory));
        lines.add("costs", best.rental(), _ -> costs(best));
        lines.add(
                "energy",
                best.joulesPerToken(),
                joules -> figure(joules)
                        + " J per token, devices only; idle power is assumed to be a tenth of their limit");
        lines.add("based on", basis(best));
        lines.addAssumptions(answer().notes());
    }

    /// Returns the part of the time per output token that no decode step has.
    private static String prompts(ServingPlan best) {
        double others = best.timePerOutputToken().p50() - best.step().seconds();
        return others <= WORTH_SAYING * best.step().seconds()
                ? ""
                : "; TPOT has " + time(others) + " more for the prompts of other sequences";
    }

    private String queued(ServingPlan best) {
        return request().concurrency() <= best.replicas()
                ? ""
                : "; " + time(best.timeToFirstTokenQueued()) + " on average if all arrive at once";
    }

    private static String costs(ServingPlan plan) {
        Rental rental = plan.rental().find().orElseThrow();
        Estimate perMillion = plan.usdPerMillionTokens().find().orElseThrow();
        return dollars(rental.usdPerHour()) + " USD an hour to rent (" + rental.instances() + " x "
                + rental.offer().instance() + " of " + rental.offer().provider().display() + ", a price "
                + rental.priceAge() + "), " + figure(perMillion) + " USD per million tokens";
    }

    private static String basis(ServingPlan plan) {
        String device = switch (plan.pool().basis()) {
            case MEASURED -> "what 'muster calibrate' measured here";
            case DATA_SHEET -> plan.pool().isUncertain() ? "second-hand figures of the device" : "a data sheet";
            case DERIVED -> "detected facts of the device, which is in no catalogue";
        };
        String measured = "measurements of " + plan.software().display();
        return plan.isMeasured()
                ? measured + " on such devices, and " + device
                : measured + " on other devices, and " + device + "; intervals are twice as wide, which is an estimate";
    }

    /// Returns the plan in a sentence: `TP 4 x DP 2`, with an explanation for newcomers.
    public static String sentence(ServingPlan plan) {
        return plan.software().display() + " on " + plan.devices() + " of " + devices(plan)
                + DeviceNames.of(plan.members(), plan.devices()) + ": " + degrees(plan)
                + (plan.idle() > 0 ? "; " + Count.of(plan.idle(), "device") + " idle" : "");
    }

    /// Returns the degrees alone: `TP 4 x DP 2`.
    static String layout(ServingPlan plan) {
        return degrees(plan).names();
    }

    private static Degrees degrees(ServingPlan plan) {
        Parallelism layout = plan.layout();
        String own = layout.attentionDp() > 1 ? " attention data parallel devices" : "";
        return new Degrees()
                .add("TP", layout.tp(), "each layer over %s devices")
                .add("PP", layout.pp(), "%s stages of layers")
                .add("EP", layout.ep(), "experts over %s" + own)
                .add("attention DP", layout.attentionDp(), "")
                .addOuter("DP", plan.replicas(), "%s replicas");
    }

    private static String bar(DeviceMemoryUse memory) {
        return new MemoryBar(BAR, memory.total(), memory.capacity())
                .part('w', memory.weights())
                .part('k', memory.kvCache())
                .part('+', memory.workspace())
                .toString();
    }

    private static String terms(StepTime step) {
        return FixedText.of(MILLI * step.products(), 2) + " ms linear layers, "
                + (step.experts() > 0 ? FixedText.of(MILLI * step.experts(), 2) + " experts, " : "")
                + FixedText.of(MILLI * step.attention(), 2) + " attention, " + FixedText.of(MILLI * step.head(), 2)
                + " LM head, " + FixedText.of(MILLI * step.host(), 2) + " host, "
                + FixedText.of(MILLI * step.links(), 2)
                + " communication";
    }

    private String table(Terminal terminal) {
        List<ServingPlan> all = isFront ? ServingPlan.front(answer().considered()) : answer().considered();
        List<ServingPlan> plans = isFront ? all : all.subList(0, Math.min(SHOWN, all.size()));
        if (plans.isEmpty()) {
            return terminal.dim("no plan of " + answer().considered().size() + " does") + "\n";
        }
        Table<ServingPlan> table = new Table<ServingPlan>(terminal)
                .mark(this::isChosen)
                .right("TP", plan -> plan.layout().tp())
                .right("PP", plan -> plan.layout().pp())
                .right("EP", 3, plan -> plan.layout().ep())
                .right("DP", ServingPlan::replicas)
                .right("DEVICES", 1, ServingPlan::devices)
                .right(
                        "MEMORY",
                        showsMoney() ? 2 : 0,
                        plan -> percent(plan.memory().total() / plan.memory().capacity()));
        if (request().slo().findSeconds(LatencyMetric.TTFT).isPresent()) {
            table.right(
                    "TTFT MS",
                    1,
                    plan -> FixedText.of(MILLI * plan.timeToFirstTokenQueued().p50(), 0));
        }
        table.right(
                "TPOT MS",
                plan -> FixedText.of(MILLI * plan.timePerOutputToken().p50(), 1));
        table.right("TOKENS/S", plan -> figure(plan.tokensPerSecond().p50()));
        if (showsMoney()) {
            table.right("USD/HOUR", plan -> plan.rental().find().map(rental -> dollars(rental.usdPerHour())));
            table.right("USD/MTOKEN", 1, plan -> middle(plan.usdPerMillionTokens()));
        }
        if (request().goal() == ServingGoal.ENERGY) {
            table.right("J/TOKEN", plan -> middle(plan.joulesPerToken()));
        }
        return table.left("VERDICT", this::verdict).render(plans) + terminal.dim(below(all.size()));
    }

    private boolean isChosen(ServingPlan plan) {
        return plan.isAccepted() && plan.equals(answer().considered().getFirst());
    }

    private String below(int listed) {
        int considered = answer().considered().size();
        if (isFront) {
            return "No other plan of " + considered
                    + " has as much throughput, as low a TPOT, as few devices and as low a price.\n";
        }
        return listed > SHOWN ? considered - SHOWN + " more were considered\n" : "";
    }

    private boolean showsMoney() {
        return request().goal() == ServingGoal.COST || request().hasBudget() || isFront;
    }

    private static Optional<String> middle(Reading<Estimate> estimate) {
        return estimate.find().map(one -> figure(one.p50()));
    }

    private String verdict(ServingPlan plan) {
        if (isChosen(plan)) {
            return "chosen";
        }
        if (!plan.memory().fits()) {
            return "does not fit";
        }
        if (!plan.breaches().isEmpty()) {
            return plan.breaches().stream().map(ServingText::brief).collect(Collectors.joining(", "));
        }
        ServingPlan best = answer().considered().getFirst();
        return switch (request().goal()) {
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

    private static String brief(ServingRequest.Breach breach) {
        return switch (breach.limit()) {
            case TTFT -> "TTFT " + percent(breach.excess()) + " over";
            case TPOT -> "TPOT " + percent(breach.excess()) + " over";
            case USD_PER_HOUR -> dollars(breach.predicted() - breach.allowed()) + " USD/h over";
        };
    }

    private static String slower(ServingPlan plan, ServingPlan best) {
        return percent(plan.timePerOutputToken().p50()
                                / best.timePerOutputToken().p50()
                        - 1) + " slower";
    }

    private static String more(Reading<Estimate> one, Reading<Estimate> best) {
        return percent(
                one.find().orElseThrow().p50() / best.find().orElseThrow().p50() - 1);
    }
}
