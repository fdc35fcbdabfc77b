// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import static dev.muster.testing.plan.PlanHosts.hosts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Reading;
import dev.muster.model.ModelSummary;
import dev.muster.model.checkpoint.CheckpointReader;
import dev.muster.model.memory.StandardFormat;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.testing.Need;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Published configurations, planned for as a user does: each is answered, or refused with the reason.
class EveryConfigTest {
    @Test
    void everyPublishedConfigurationIsPlannedOrTheReasonIsStated(@TempDir Path folder) throws IOException {
        Planner planner = Planner.of(hosts("8x[b200-sxm:8 nvswitch]"));
        TreeMap<String, String> refused = new TreeMap<>();
        List<Path> files;
        try (Stream<Path> listed = Files.list(Need.recording("fixtures/configs"))) {
            files = listed.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            String name = file.getFileName().toString().replace(".json", "");
            Path model = Files.createDirectories(folder.resolve(name));
            Files.copy(file, model.resolve("config.json"));
            ModelSummary summary = CheckpointReader.create().read(model).toSummary(name);
            PlanAnswer<ServingPlan> answer = planner.serve(
                            ServingRequest.of(summary).withFormat(StandardFormat.FP8))
                    .answer();
            if (answer.considered().isEmpty()) {
                refused.put(
                        name,
                        summary.parameters() instanceof Reading.Unknown<Long>(var _, String detail) ? detail : "");
            }
        }
        assertThat(files).hasSizeGreaterThan(30);
        assertThat(refused.keySet())
                .containsExactlyInAnyOrder("stepfun-ai--Step-3.7-Flash", "stepfun-ai--Step-3.7-Flash-FP8");
        assertThat(refused.values())
                .allSatisfy(reason -> assertThat(reason).contains("attention_other_setting.num_attention_heads"));
    }
}
