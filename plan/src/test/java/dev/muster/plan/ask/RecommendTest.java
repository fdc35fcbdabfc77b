// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.ModelKind;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.catalogue.ModelEntry;
import dev.muster.model.catalogue.ModelUse;
import dev.muster.plan.Planner;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.plan.serving.FormatFit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Models that run on a machine: what is listed is what `plan` answers, in the order of the goal.
class RecommendTest {
    /// Each machine takes some of the models, so that all together take all.
    private static final int STEP = 12;

    private static final List<ModelEntry> MODELS = ModelCatalogue.builtIn().entries();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rtx-4060:1",
                "m4-max:64GiB",
                "strix-halo:128GiB",
                "gb10:128GiB",
                "[rtx-3090:2,pcie]",
                "[h100-sxm:8,nvswitch]",
                "mi300x:1",
                "arc-b580:1",
                "[cpu:64GiB]",
                "jetson-orin-nano-8:1"
            })
    void everyRowIsAPlanWithTheSameFormatAndSpeed(String machine) {
        Planner planner = on(machine);
        List<ModelEntry> some = new ArrayList<>();
        for (int at = Math.floorMod(machine.hashCode(), STEP); at < MODELS.size(); at += STEP) {
            some.add(MODELS.get(at));
        }
        Answer.Recommended answer =
                Question.recommend(some, ParameterValues.NONE).ask(planner);
        Set<String> listed = answer.models().stream().map(ModelEntry::id).collect(Collectors.toSet());
        for (int at = 0; at < answer.models().size(); at++) {
            FormatFit fit = answer.fits().get(at);
            String what = machine + ": " + answer.models().get(at).id();
            Answer.Served plan = Question.serve(
                            answer.models().get(at).toSummary(),
                            ParameterValues.NONE
                                    .with(Parameters.FORMATS, List.of(fit.format()))
                                    .with(Parameters.ENGINE, fit.software()))
                    .ask(planner);
            if (fit.plan().orElseThrow().request().tokens() < 4096) {
                continue; // models of shorter contexts are listed with those
            }
            assertThat(plan.isFeasible()).as(what).isTrue();
            assertThat(plan.outcome()
                            .answer()
                            .findFirst()
                            .orElseThrow()
                            .tokensPerSecond()
                            .p50())
                    .as(what)
                    .isCloseTo(fit.plan().orElseThrow().tokensPerSecond().p50(), Offset.offset(1e-9));
        }
        for (ModelEntry model : some) {
            if (model.kind() == ModelKind.TEXT_GENERATION && !listed.contains(model.id())) {
                assertThat(Question.serve(model.toSummary(), ParameterValues.NONE)
                                .ask(planner)
                                .isFeasible())
                        .as(machine + " omits " + model.id())
                        .isFalse();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ModelGoal.class)
    void modelsAreOrderedByTheGoal(ModelGoal goal) {
        ParameterValues values = ParameterValues.NONE
                .with(Parameters.MODEL_GOAL, goal)
                .with(Parameters.MODEL_USE, ModelUse.CODE)
                .with(Parameters.MODEL_SINCE, "2025-06");
        Answer.Recommended answer = Question.recommend(MODELS, values).ask(on("rtx-5090:1"));
        assertThat(answer.models()).hasSizeGreaterThan(10).allSatisfy(model -> {
            assertThat(model.released()).isGreaterThanOrEqualTo("2025-06");
            assertThat(ModelUse.CODE.isOf(model)).isTrue();
        });
        List<FormatFit> fits = answer.fits();
        switch (goal) {
            case NEWEST -> assertThat(fits).isNotEmpty();
            case QUALITY ->
                assertThat(answer.models().stream()
                                .map(model -> ModelUse.CODE
                                        .findScore(model)
                                        .map(ModelUse.Score::value)
                                        .orElse(0.0)))
                        .isSortedAccordingTo(Comparator.reverseOrder());
            case SPEED ->
                assertThat(fits.stream()
                                .map(fit -> fit.plan()
                                        .orElseThrow()
                                        .tokensPerSecond()
                                        .p50()))
                        .isSortedAccordingTo(Comparator.reverseOrder());
            case CONTEXT ->
                assertThat(fits.stream().map(FormatFit::tokensAlone)).isSortedAccordingTo(Comparator.reverseOrder());
        }
    }

    @Test
    void aGoalIsForTheListOfModels() {
        assertThatThrownBy(() -> Question.fit(
                        MODELS.getFirst().toSummary(),
                        ParameterValues.NONE.with(Parameters.MODEL_GOAL, ModelGoal.SPEED)))
                .isInstanceOf(QuestionException.class);
    }

    @ParameterizedTest
    @EnumSource(ModelUse.class)
    void scoresOfAUseAreOfOneBenchmark(ModelUse use) {
        assertThat(MODELS.stream()
                        .flatMap(model -> use.findScore(model).stream())
                        .map(ModelUse.Score::benchmark)
                        .distinct())
                .hasSizeLessThanOrEqualTo(1);
    }

    private static Planner on(String machine) {
        return Planner.of(WhatIf.synthetic(machine, DeviceCatalogue.builtIn()));
    }
}
