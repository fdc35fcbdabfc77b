// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.ask.ParameterValues;
import dev.muster.plan.ask.Question;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlannerInterruptionTest {
    @AfterEach
    void endInterruption() {
        Thread.interrupted();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PLAN | h100-sxm:8 | {}
            PLAN | h100-sxm:8 | {"users": 4}
            PLAN | [rtx-4090 rtx-3060-12 cpu:96GiB] | {"offload": true, "engine": "llama.cpp", "formats": ["q4_k_m"]}
            SIMULATE | h100-sxm:8 | {"users": 4}
            TRAIN | h100-sxm:8 | {}
            COMPARE | l4:1 | {"machines": ["here", "l4:2"]}
            """)
    void anInterruptedThreadGetsNoAnswer(QuestionKind kind, String hosts, String values) {
        ModelSummary model =
                ModelCatalogue.builtIn().find("llama-3.1-8b").orElseThrow().toSummary();
        JsonObject given = (JsonObject) JsonValue.parse(values);
        Question question = Question.of(kind, model, ParameterValues.read(kind.parameters(), given, List.of()));
        Planner planner = Planner.of(WhatIf.synthetic(hosts, DeviceCatalogue.builtIn()));
        assertThat(question.ask(planner)).isNotNull();

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> question.ask(planner)).isInstanceOf(CancellationException.class);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }
}
