// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.json.DocumentException;
import dev.muster.evidence.measured.AccuracyReport;
import dev.muster.evidence.measured.AccuracyReport.PredictedRow;
import dev.muster.evidence.measured.AccuracyReport.Refusal;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRuns;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BenchmarkResultsTest {
    private static final Instant TIME = Instant.parse("2026-11-16T08:30:00Z");
    private static final ModelCatalogue MODELS = ModelCatalogue.builtIn();
    private static final DeviceCatalogue DEVICES = DeviceCatalogue.builtIn();

    /// Returns one run with 16 users and the given time per token.
    private static String serve(double milliseconds) {
        double whole = 50 + 255 * milliseconds;
        double duration = 160 * whole / 16 / 1e3;
        return "{\"backend\": \"vllm\", \"model_id\": \"meta-llama/Llama-3.1-8B-Instruct\", \"request_rate\": \"inf\","
                + " \"max_concurrency\": 16, \"completed\": 160, \"total_input_tokens\": 163840,"
                + " \"total_output_tokens\": 40960, \"duration\": " + duration + ", \"output_throughput\": "
                + 40960 / duration + ", \"mean_ttft_ms\": 50.0, \"median_tpot_ms\": " + milliseconds + "}";
    }

    private static final Map<Fact, String> H100 = Map.of(Fact.DEVICE, "h100-sxm", Fact.TP, "1");

    private static BenchmarkResults learn(Map<String, String> files, Map<Fact, String> given) {
        return BenchmarkResults.read(files, given).learn(MODELS, DEVICES);
    }

    @Test
    void asksForExactlyWhatIsMissing() {
        assertThat(learn(Map.of("a.json", serve(20)), Map.of()).refusals())
                .containsExactly(new Refusal(
                        "a.json",
                        true,
                        "the file does not say the device, the tensor parallel degree",
                        List.of(Fact.DEVICE, Fact.TP)));
        assertThat(learn(Map.of("a.json", serve(20)), Map.of(Fact.DEVICE, "h100-sxm"))
                        .refusals())
                .extracting(Refusal::reason)
                .containsExactly("the file does not say the tensor parallel degree");
        assertThat(learn(Map.of("a.json", serve(20)), Map.of(Fact.DEVICE, "h100-sxm", Fact.DEVICES, "1"))
                        .runs())
                .hasSize(1);
    }

    @Test
    void unknownNamesAreSaid() {
        assertThat(learn(Map.of("a.json", serve(20)), Map.of(Fact.DEVICE, "abacus", Fact.TP, "1"))
                        .refusals())
                .extracting(Refusal::reason)
                .singleElement()
                .asString()
                .contains("'abacus'");
    }

    @Test
    void descriptionsSayWhatResultsDoNot() {
        String system = "{\"accelerator_model_name\": \"h100-sxm\", \"accelerators_per_node\": 1,"
                + " \"number_of_nodes\": 1, \"framework\": \"vLLM 0.11.0\"}";
        BenchmarkResults learned = learn(Map.of("a.json", serve(20), "system.json", system), Map.of());
        assertThat(learned.refusals()).isEmpty();
        assertThat(learned.runs().getFirst().run().find(Fact.DEVICE)).contains("h100-sxm");
        assertThat(learned.runs().getFirst().run().find(Fact.RELEASE)).contains("0.11.0");
    }

    @Test
    void descriptionsOfOtherFoldersOrOfTwoSystemsSayNothing() {
        String cluster = "{\"nodes\": [{\"instances\": [{\"model_name\": \"llama-3.1-8b\", \"hardware\": \"%s\","
                + " \"num_npus\": 1, \"tp_size\": 1}]}]}";
        assertThat(learn(Map.of("a/run.json", serve(20), "b/x.json", cluster.formatted("h100-sxm")), Map.of())
                        .runs())
                .isEmpty();
        assertThat(learn(Map.of("a/b/run.json", serve(20), "a/x.json", cluster.formatted("h100-sxm")), Map.of())
                        .runs())
                .hasSize(1);
        Map<String, String> two = Map.of(
                "a/run.json", serve(20), "a/x.json", cluster.formatted("h200"), "a/y.json", cluster.formatted("l40s"));
        assertThat(learn(two, Map.of()).runs()).isEmpty();
    }

    @Test
    void whatTheCallerSaysComesFirst() {
        assertThat(learn(Map.of("a.json", serve(20)), Map.of(Fact.ENGINE, "sglang", Fact.DEVICE, "h200", Fact.TP, "1"))
                        .runs()
                        .getFirst()
                        .run()
                        .find(Fact.ENGINE))
                .contains("sglang");
    }

    @Test
    void simulatedFiguresAreNotLearned() {
        String simulated = """
                instance id,request id,model,input,output,arrival,end_time,latency,queuing_delay,TTFT,TPOT
                0,1,llama-3.1-8b,100,10,0,1000000000,1000000000,0,100000000,100000000
                """;
        assertThat(learn(Map.of("sim.csv", simulated), H100).refusals())
                .extracting(Refusal::reason)
                .containsExactly("its figures were simulated by LLMServingSim, not measured");
    }

    @Test
    void errorsAreToldByFile() {
        AccuracyReport report = BenchmarkResults.read(
                        Map.of("a.json", serve(20), "b.json", "{\"reason\": \"x\"}"), H100)
                .accuracy(MODELS, DEVICES);
        assertThat(report.rows())
                .extracting(PredictedRow::group)
                .containsOnly("a.json")
                .hasSize(2);
        assertThat(report.groups()).singleElement().satisfies(group -> {
            assertThat(group.group()).isEqualTo("a.json");
            assertThat(group.rows()).isEqualTo(2);
        });
        assertThat(report.refusals()).extracting(Refusal::id).containsExactly("b.json");
    }

    @Test
    void oddFactsBreakNoPrediction() {
        Map<Fact, String> odd = Map.of(
                Fact.DEVICE,
                "h100-sxm",
                Fact.TP,
                "1.5",
                Fact.EP,
                "2.5",
                Fact.CONCURRENCY,
                "1e30",
                Fact.RELEASE,
                "a\"b,c");
        assertThat(BenchmarkResults.read(Map.of("x".repeat(5000), serve(20)), odd)
                        .accuracy(MODELS, DEVICES))
                .isNotNull();
        MeasuredRuns runs =
                MeasuredRuns.NONE.with(learn(Map.of("a.json", serve(20)), odd).keptAt(TIME));
        assertThat(plan("llama-3.1-8b", "h100-sxm", runs)).isNotNull();
    }

    @Test
    void keptRunsAreReadBack() {
        MeasuredRuns runs = MeasuredRuns.NONE.with(
                learn(Map.of("folder/a.json", serve(20)), H100).keptAt(TIME));
        MeasuredRuns read = MeasuredRuns.read(runs.toJson().toText().getBytes(StandardCharsets.UTF_8));
        assertThat(read).isEqualTo(runs);
        assertThat(read.runs().getFirst().source()).isEqualTo("a.json");
        assertThat(read.with(runs.runs())).isEqualTo(runs);
        assertThatThrownBy(() -> MeasuredRuns.read(
                        "{\"schema\":2,\"kind\":\"measured-runs\",\"runs\":[]}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(DocumentException.class);
    }

    @Test
    void aRunCorrectsThreeQuartersOfItsErrorAndNarrowsTheInterval() {
        ServingPlan plain = plan("llama-3.1-8b", "h100-sxm", MeasuredRuns.NONE);
        double predicted =
                BenchmarkResults.read(Map.of("a.json", serve(20)), H100).accuracy(MODELS, DEVICES).rows().stream()
                        .filter(row -> row.id().endsWith("tpot_ms"))
                        .findFirst()
                        .orElseThrow()
                        .predicted();
        MeasuredRuns runs = MeasuredRuns.NONE.with(
                learn(Map.of("a.json", serve(1.5 * predicted)), H100).keptAt(TIME));
        ServingPlan corrected = plan("llama-3.1-8b", "h100-sxm", runs);
        double factor = corrected.timePerOutputToken().p50()
                / plain.timePerOutputToken().p50();
        assertThat(factor).isCloseTo(Math.pow(1.5, 1 / 1.3), within(1e-9));
        assertThat(corrected.timePerOutputToken().p90()
                        / corrected.timePerOutputToken().p10())
                .isLessThan(plain.timePerOutputToken().p90()
                        / plain.timePerOutputToken().p10());
        assertThat(notes("llama-3.1-8b", "h100-sxm", runs))
                .anyMatch(note -> note.values().subList(0, 2).equals(List.of(1, "a.json")));
    }

    @Test
    void neighboursAreCorrectedByHalfAndOthersNotAtAll() {
        double predicted = 10;
        MeasuredRuns runs = MeasuredRuns.NONE.with(
                learn(Map.of("a.json", serve(5 * predicted)), H100).keptAt(TIME));
        double own = Math.log(factor("llama-3.1-8b", "h100-sxm", runs));
        assertThat(own).isPositive();
        assertThat(Math.log(factor("qwen2.5-7b", "h100-sxm", runs))).isCloseTo(own / 2, within(1e-9));
        assertThat(Math.log(factor("llama-3.1-8b", "h200", runs))).isCloseTo(own / 2, within(1e-9));
        assertThat(factor("llama-3.1-8b", "mi300x", runs)).isEqualTo(1);
        assertThat(notes("qwen2.5-7b", "h100-sxm", runs))
                .anyMatch(note -> note.values().get(4).equals(false));
        assertThat(notes("llama-3.1-8b", "mi300x", runs)).isEmpty();
    }

    private static double factor(String model, String device, MeasuredRuns runs) {
        return plan(model, device, runs).timePerOutputToken().p50()
                / plan(model, device, MeasuredRuns.NONE).timePerOutputToken().p50();
    }

    private static ServingPlan plan(String model, String device, MeasuredRuns runs) {
        return serve(model, device, runs).findFirst().orElseThrow();
    }

    private static List<PlanNote> notes(String model, String device, MeasuredRuns runs) {
        return serve(model, device, runs).notes().stream()
                .filter(note -> note.topic() == PlanNote.Topic.CORRECTED_LATENCY)
                .toList();
    }

    private static PlanAnswer<ServingPlan> serve(String model, String device, MeasuredRuns runs) {
        ServingRequest request = ServingRequest.of(
                        MODELS.find(model).orElseThrow().toSummary())
                .withConcurrency(16)
                .withTokens(1024, 256);
        return Planner.of(WhatIf.synthetic(device + ":1", DEVICES))
                .withCorrections(RunCorrections.of(runs, DEVICES))
                .serve(request, ServingChoices.USUAL.withEngine(ServingEngine.VLLM))
                .answer();
    }
}
