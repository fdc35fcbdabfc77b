// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.Planner;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.plan.cost.MemoryTerm;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.search.ServingWork;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingExplanation;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.time.CoefficientTable;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImagesOfAPromptTest {
    private static final Percentage EXACT = Percentage.withPercentage(1e-6);

    /// The prompt is as long as one of as many tokens; the encoder works before it, and its weights lie beside.
    @ParameterizedTest
    @CsvSource({"gemma-3-27b, vllm", "qwen3-vl-8b, vllm", "gemma-3-4b, llama.cpp", "llama-4-scout, sglang"})
    void imagesAddTokensAndTheEncodersTimeAndMemory(String name, String engine) {
        ModelSummary model = ModelCatalogue.builtIn().find(name).orElseThrow().toSummary();
        ParameterValues values = ParameterValues.NONE.with(
                Parameters.ENGINE, ServingEngine.find(engine).orElseThrow());
        ServingPlan seen = plan(model, values.with(Parameters.IMAGES, 3));
        int tokens = seen.request().input();
        assertThat(tokens).isGreaterThan(3840);
        ServingPlan read = plan(model, values.with(Parameters.CONTEXT, tokens + 256));
        assertThat(read.request().input()).isEqualTo(tokens);
        assertThat(seen.timeToFirstToken().p50())
                .isGreaterThan(read.timeToFirstToken().p50());
        assertThat(seen.memory().total() - read.memory().total())
                .isCloseTo(seen.request().images().bytes() / seen.layout().tp(), Percentage.withPercentage(1e-3));
        ServingExplanation why = ServingWork.explain(seen, CoefficientTable.builtIn());
        assertThat(why.memory().stream().mapToDouble(MemoryTerm::bytes).sum())
                .isCloseTo(seen.memory().total(), EXACT);
        assertThat(why.timeToFirstToken().stream()
                        .mapToDouble(StepTerm::seconds)
                        .sum())
                .isCloseTo(seen.timeToFirstToken().p50(), EXACT);
        assertThat(why.timeToFirstToken()).extracting(StepTerm::what).contains("image encoder");
    }

    @Test
    void imagesThatAModelCannotReadAreRefused() {
        ModelSummary model =
                ModelCatalogue.builtIn().find("llama-3.1-8b").orElseThrow().toSummary();
        assertThatThrownBy(() -> Question.plan(model, ParameterValues.NONE.with(Parameters.IMAGES, 1)))
                .isInstanceOf(QuestionException.class)
                .hasMessageContaining("are not known");
        assertThatThrownBy(() -> Question.plan(model, ParameterValues.NONE.with(Parameters.RESOLUTION, List.of(9, 9))))
                .isInstanceOf(QuestionException.class);
    }

    private static ServingPlan plan(ModelSummary model, ParameterValues values) {
        Planner planner = Planner.of(WhatIf.synthetic("[h100-sxm:4 nvswitch]", DeviceCatalogue.builtIn()));
        return Question.serve(model, values)
                .ask(planner)
                .outcome()
                .answer()
                .findFirst()
                .orElseThrow();
    }
}
