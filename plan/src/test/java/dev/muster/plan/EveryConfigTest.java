// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import static dev.muster.testing.plan.PlanHosts.hosts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Reading;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.catalogue.ModelName;
import dev.muster.model.checkpoint.CheckpointReader;
import dev.muster.model.memory.StandardFormat;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.serving.ServingChoices;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /// A model of another kind is never planned as one that writes text.
    @ParameterizedTest
    @CsvSource({
        "whisper-large-v3, a speech recognition model",
        "bge-m3, an embedding model",
        "qwen3-embedding-8b, an embedding model",
        "qwen3-reranker-4b, a reranker or classifier",
        "flux.1-dev, an image generation model",
        "wan2.2-t2v-a14b, a video generation model",
        "flan-t5-xl, an encoder-decoder model",
        "kokoro-82m, a text-to-speech model",
        "bert-large-uncased, a text encoder"
    })
    void modelsOfAnotherKindAreRefusedByName(String name, String kind) {
        ModelSummary model =
                ModelName.resolve(name, ModelCatalogue.builtIn()).orElseThrow().toSummary();
        Planner planner = Planner.of(hosts("h100-sxm:1"));
        Shortfall refusal =
                Shortfall.of(Cause.OTHER_KIND, name, model.architecture().kind(), true);
        assertThat(model.architecture().kind().title()).isEqualTo(kind);
        assertThat(planner.serve(ServingRequest.of(model)).answer())
                .isInstanceOfSatisfying(
                        PlanAnswer.Unanswered.class,
                        answer -> assertThat(answer.reason()).isEqualTo(refusal));
        assertThat(planner.fit(ServingRequest.of(model), ServingChoices.USUAL).problem())
                .contains(refusal);
        assertThat(planner.recommend(List.of(model))).isEmpty();
    }

    /// Fit, the list of models that fit, and plan choose one format: never more bits than the published one, unless
    /// that does not run.
    @ParameterizedTest
    @CsvSource({
        "gpt-oss-120b, mi300x:8, mxfp4",
        "deepseek-r1, h200-sxm:8, fp8",
        "qwen3-8b, h100-sxm:1, bf16",
        "qwen3-30b-a3b, h100-sxm:2, bf16",
        "gpt-oss-20b, rtx-4090:1, mxfp4",
        "minimax-m2.5, h200-sxm:8, fp8",
        "llama-3.1-8b, m4-max:1, bf16",
        "ministral-3-8b, h100-sxm:1, fp8"
    })
    void everyCommandChoosesTheSameFormat(String name, String machine, String format) {
        ModelSummary model =
                ModelName.resolve(name, ModelCatalogue.builtIn()).orElseThrow().toSummary();
        Planner planner = Planner.of(hosts(machine));
        ServingRequest request = ServingRequest.of(model);
        assertThat(planner.fit(request, ServingChoices.USUAL)
                        .findRecommended()
                        .orElseThrow()
                        .format()
                        .label())
                .isEqualTo(format);
        assertThat(planner.recommend(List.of(model)).getFirst().format().label())
                .isEqualTo(format);
        assertThat(planner.serve(request).request().format().label()).isEqualTo(format);
    }
}
