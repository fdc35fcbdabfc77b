// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import static dev.muster.testing.plan.PlanHosts.hosts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Finding;
import dev.muster.core.json.JsonValue;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.Planner;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LaunchHeaderTest {
    private static final ServingPlan PLAN = Planner.of(hosts("h100-sxm:2"))
            .serve(
                    ServingRequest.of(ModelCatalogue.builtIn()
                                    .find("llama-3.1-8b")
                                    .orElseThrow()
                                    .toSummary())
                            .withConcurrency(16),
                    ServingChoices.USUAL.withEngine(ServingEngine.VLLM))
            .answer()
            .findFirst()
            .orElseThrow();

    private static String text(LaunchTarget target) {
        return ((LaunchAnswer.Emitted) Launcher.emit(PLAN, target))
                .artifacts()
                .getFirst()
                .text();
    }

    @ParameterizedTest
    @EnumSource(names = {"VLLM", "SLURM", "MPIRUN", "KUBERNETES", "DOCKER_COMPOSE", "SYSTEMD"})
    void everyFormSaysWhatItStarts(LaunchTarget target) {
        JsonValue.JsonObject header = LaunchHeader.find(text(target)).orElseThrow();
        assertThat(header.requireText("engine")).isEqualTo("vllm");
        assertThat(header.requireText("model")).isEqualTo("meta-llama/Llama-3.1-8B");
        assertThat(header.requireText("deviceId")).isEqualTo("h100-sxm");
        assertThat(header.requireNumber("tensorParallel").text())
                .isEqualTo(String.valueOf(PLAN.layout().tp()));
    }

    @Test
    void aMachineLikeThePlannedOneFits() {
        List<Finding> findings =
                Launcher.examine(text(LaunchTarget.VLLM), hosts("h100-sxm:2")).orElseThrow();
        assertThat(findings).allMatch(Finding::isPassed);
    }

    @Test
    void fewerSmallerAndOtherDevicesDoNotFit() {
        List<Finding> findings =
                Launcher.examine(text(LaunchTarget.VLLM), hosts("l40s:1")).orElseThrow();
        assertThat(findings).extracting(Finding::id).containsExactly("count", "memory", "device");
        assertThat(findings).noneMatch(Finding::isPassed);
    }

    @Test
    void aFileOfOthersSaysNothing() {
        assertThat(Launcher.examine("#!/bin/sh\n# muster-launch: {\n", hosts("l40s:1")))
                .isEmpty();
        assertThat(Launcher.examine("", hosts("l40s:1"))).isEmpty();
    }
}
