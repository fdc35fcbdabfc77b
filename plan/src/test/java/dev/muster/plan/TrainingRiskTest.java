// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote.Topic;
import dev.muster.plan.ask.ParameterValues;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.ask.Question;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The memory of training plans against the errors of predicted peaks.
class TrainingRiskTest {
    private static final List<String> MODELS = List.of("llama-3.1-8b", "qwen3-14b", "llama-3.1-70b");
    private static final List<String> MACHINES =
            List.of("rtx-4090:1", "rtx-4090:2", "l40s:4", "a100-sxm4-80:8", "h100-sxm:8,nvswitch");
    private static final List<String> METHODS = List.of("full", "lora", "qlora-4bit");

    @Test
    void aPeakThatMayExceedTheDeviceIsNeverRecommendedSilently() {
        int feasible = 0;
        for (String name : MODELS) {
            ModelSummary model =
                    ModelCatalogue.builtIn().find(name).orElseThrow().toSummary();
            for (String machine : MACHINES) {
                Planner planner = Planner.of(WhatIf.synthetic(machine, DeviceCatalogue.builtIn()));
                for (String method : METHODS) {
                    ParameterValues values = ParameterValues.NONE.with(Parameters.METHOD, TrainingMethod.parse(method));
                    String what = method + " of " + name + " on " + machine;
                    PlanAnswer<TrainingPlan> usual =
                            Question.train(model, values).ask(planner).answer();
                    if (usual instanceof PlanAnswer.Feasible<TrainingPlan> found) {
                        feasible++;
                        boolean isSaid = found.notes().stream().anyMatch(note -> note.topic() == Topic.NO_ROOM);
                        assertThat(found.best().isTight()).as(what).isEqualTo(isSaid);
                    }
                    PlanAnswer<TrainingPlan> strict = Question.train(model, values.with(Parameters.RISK, 0.1))
                            .ask(planner)
                            .answer();
                    if (strict instanceof PlanAnswer.Feasible<TrainingPlan> found) {
                        assertThat(found.best().isTight()).as(what).isFalse();
                    }
                    PlanAnswer<TrainingPlan> bold = Question.train(model, values.with(Parameters.RISK, 0.5))
                            .ask(planner)
                            .answer();
                    assertThat(bold.isFeasible()).as(what).isEqualTo(usual.isFeasible());
                }
            }
        }
        assertThat(feasible).isGreaterThan(15);
    }
}
