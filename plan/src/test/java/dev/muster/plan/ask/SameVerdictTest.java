// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.ModelDimension;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.catalogue.ModelEntry;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.Planner;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.plan.serving.FormatFit;
import dev.muster.plan.serving.ServingRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// `plan`, `fit`, `quantize`, `cost`, `compare` and `models --fit` never contradict each other.
///
/// The rule, for a model, a machine and no format asked for:
/// 1. `plan` is feasible exactly if `fit` has a plan for the first format of its table.
/// 2. `quantize` recommends what `fit` recommends, and a plan in that format, by that engine, is feasible.
/// 3. No recommended format has more bits than the published one, unless `plan` itself replaces it by 16 bits.
/// 4. `models --fit` lists a model exactly if `fit` recommends a format, with the same format and engine, if its
/// context holds the usual request.
/// 5. `cost`, with a price list of this machine alone, finds it exactly if `plan` is feasible.
/// 6. `compare` of two machines finds a plan for both exactly if both plans are feasible as asked, or there is a format
/// that `fit` has a plan for on both; in a format for which `plan` is feasible on each.
class SameVerdictTest {
    private static final int QUESTIONS = 500;
    private static final int MODELS = 10;
    private static final long SEED = Long.getLong("tests.seed", 20_261_119L);
    private static final List<String> MACHINES = List.of(
            "h100-sxm:8,nvswitch",
            "h100-sxm:1",
            "rtx-4090:1",
            "rtx-3090:2",
            "rtx-4060:1",
            "l40s:4",
            "a100-sxm4-80:2",
            "mi300x:1",
            "t4:1",
            "v100-sxm2-32:4",
            "rx-7900-xtx:1",
            "rtx-5090:2",
            "b200-sxm:8,nvswitch",
            "arc-b580:1",
            "m3-max-40c:1",
            "gaudi3:2",
            "tpu-v5e:8");

    private final Random random = new Random(SEED);
    private final List<ModelEntry> models = some();
    private final Map<String, Boolean> plans = new HashMap<>();
    private final Map<String, Answer.Fitted> fits = new HashMap<>();
    private final Set<String> checked = new HashSet<>();

    @Test
    void drawnQuestionsGetOneVerdict() {
        int feasible = 0;
        for (int i = 0; i < QUESTIONS; i++) {
            ModelEntry entry = models.get(random.nextInt(models.size()));
            String machine = draw();
            String other = draw();
            String what = "seed " + SEED + ", question " + i + ": " + entry.id() + " on " + machine + ", " + other;
            feasible += check(entry, machine, other, what) ? 1 : 0;
        }
        assertThat(feasible).isBetween(QUESTIONS / 5, QUESTIONS * 4 / 5);
    }

    /// Draws a few models, so that questions about the same model and machine share their plan.
    private List<ModelEntry> some() {
        List<ModelEntry> all = new ArrayList<>(ModelCatalogue.builtIn().entries());
        all.removeIf(one -> !(Question.quantize(one.toSummary(), ParameterValues.NONE) instanceof Question.Fit));
        Collections.shuffle(all, random);
        return all.subList(0, MODELS);
    }

    private boolean plans(ModelSummary model, String machine) {
        return plans.computeIfAbsent(
                model.name() + ' ' + machine,
                _ -> Question.plan(model, ParameterValues.NONE).ask(on(machine)).isFeasible());
    }

    private Answer.Fitted fits(ModelSummary model, String machine) {
        return fits.computeIfAbsent(
                model.name() + ' ' + machine,
                _ -> Question.fit(model, ParameterValues.NONE).ask(on(machine)));
    }

    private String draw() {
        return MACHINES.get(random.nextInt(MACHINES.size()));
    }

    private static Planner on(String machine) {
        return Planner.of(WhatIf.synthetic(machine, DeviceCatalogue.builtIn()));
    }

    private boolean check(ModelEntry entry, String machine, String other, String what) {
        ModelSummary model = entry.toSummary();
        Planner planner = on(machine);
        boolean isFeasible = plans(model, machine);
        Answer.Fitted fitted = fits(model, machine);
        List<FormatFit> fits = fitted.answer().fits();
        if (fits.isEmpty()) {
            assertThat(isFeasible).as(what + ": plan, without a fit").isFalse();
            return false;
        }
        assertThat(fits.stream()
                        .anyMatch(fit -> isPlanned(fit, fits) && fit.plan().isPresent()))
                .as(what + ": plan and fit")
                .isEqualTo(isFeasible);
        compares(model, machine, other, fits, what);
        if (!checked.add(model.name() + ' ' + machine)) {
            return isFeasible;
        }
        Optional<FormatFit> best = fitted.answer().findRecommended();
        quantizes(model, planner, best, what);
        best.ifPresent(fit -> assertThat(fit.format().weightBits())
                .as(what + ": published bits")
                .isLessThanOrEqualTo(
                        Math.max(publishedBits(model), fits.getFirst().format().weightBits())));
        lists(entry, planner, best, what);
        prices(model, machine, isFeasible, what);
        return isFeasible;
    }

    /// Reports whether a fit is in the format that `plan` uses, the first of its kind of devices and engine.
    private static boolean isPlanned(FormatFit fit, List<FormatFit> fits) {
        FormatFit first = fits.stream()
                .filter(one -> one.pool().equals(fit.pool()))
                .findFirst()
                .orElseThrow();
        return fit.format().equals(first.format()) && fit.software() == first.software();
    }

    private static int publishedBits(ModelSummary model) {
        return WeightFormat.findPublished(ServingRequest.of(model).architecture())
                .map(WeightFormat::weightBits)
                .orElse(Short.SIZE);
    }

    private static void quantizes(ModelSummary model, Planner planner, Optional<FormatFit> best, String what) {
        Answer answer =
                Question.of(QuestionKind.QUANTIZE, model, ParameterValues.NONE).ask(planner);
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Fitted.class,
                        one -> assertThat(one.answer().findRecommended())
                                .as(what + ": quantize")
                                .isEqualTo(best));
        best.ifPresent(fit ->
                assertThat(isFeasible(model, planner, fit)).as(what + ": take").isTrue());
    }

    private static boolean isFeasible(ModelSummary model, Planner planner, FormatFit fit) {
        ParameterValues values = ParameterValues.NONE
                .with(Parameters.FORMATS, List.of(fit.format()))
                .with(Parameters.ENGINE, fit.software());
        return Question.plan(model, values).ask(planner).isFeasible();
    }

    private static void lists(ModelEntry entry, Planner planner, Optional<FormatFit> best, String what) {
        ModelSummary model = entry.toSummary();
        long context = model.architecture().find(ModelDimension.CONTEXT).orElse(Long.MAX_VALUE);
        if (context < ServingRequest.DEFAULT_CONTEXT) {
            return;
        }
        List<FormatFit> listed = Question.recommend(List.of(entry), ParameterValues.NONE)
                .ask(planner)
                .fits();
        assertThat(listed.stream().map(SameVerdictTest::name).toList())
                .as(what + ": models --fit")
                .isEqualTo(best.stream().map(SameVerdictTest::name).toList());
    }

    private static String name(FormatFit fit) {
        return fit.format().label() + " by " + fit.software().label();
    }

    private static void prices(ModelSummary model, String machine, boolean isFeasible, String what) {
        String[] words = machine.split("[:,]", -1);
        double each =
                DeviceCatalogue.builtIn().find(words[0]).orElseThrow().memory().gigabytes();
        PriceCatalogue prices = PriceCatalogue.parse(
                "provider,instance,region,accelerator,count,memory_gb_each,interconnect,price_usd_hour_on_demand,"
                        + "source,date\nother,one,any," + words[0] + ',' + words[1] + ',' + each + ','
                        + (words.length > 2 ? words[2] : "none") + ",1,test,2026-11-01\n",
                DeviceCatalogue.builtIn());
        ParameterValues one = ParameterValues.NONE.with(Parameters.FLEET_HOSTS, 1);
        assertThat(Question.cost(model, one)
                        .ask(on("h100-sxm:1").withPrices(prices))
                        .isFeasible())
                .as(what + ": cost")
                .isEqualTo(isFeasible);
    }

    private void compares(ModelSummary model, String machine, String other, List<FormatFit> fits, String what) {
        Planner here = on(machine);
        Planner there = on(other);
        Answer.Compared compared = Question.compare(model, ParameterValues.NONE).ask(here, there);
        List<FormatFit> others = fits(model, other).answer().fits();
        boolean bothAsAsked = plans(model, machine) && plans(model, other);
        boolean common = fits.stream()
                .filter(fit -> fit.plan().isPresent())
                .anyMatch(fit -> others.stream()
                        .anyMatch(two -> two.plan().isPresent() && two.format().equals(fit.format())));
        assertThat(compared.isFeasible()).as(what + ": compare").isEqualTo(bothAsAsked || common);
    }
}
