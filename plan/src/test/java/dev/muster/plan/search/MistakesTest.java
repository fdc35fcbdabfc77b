// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.OperationRate;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.Precision;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.HostMemory;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.cost.PlannedDevice;
import dev.muster.plan.serving.MixedPlan;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.EngineRates;
import dev.muster.plan.time.LlamaCppModel;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.ServingProfile;
import dev.muster.plan.time.StepModel;
import dev.muster.plan.time.WeightParts;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/// Mistakes that other estimators make: a test for each that it cannot come back here.
class MistakesTest {
    private static final ModelCatalogue MODELS = ModelCatalogue.builtIn();
    private static final DeviceCatalogue DEVICES = DeviceCatalogue.builtIn();
    private static final CoefficientTable FITTED = CoefficientTable.builtIn();
    private static final HostMemory DESKTOP = new HostMemory(128e9, 60e9, "test");

    @Test
    void onlyLayersThatAttendKeepKeysAndValuesInHybrids() {
        ModelShape hybrid = shape("qwen3.5-27b");
        assertThat(hybrid.keptTokens(1000)).isEqualTo(1000 * hybrid.layers() / 4);
        ModelShape local = shape("gpt-oss-120b");
        assertThat(local.keptTokens(100_000))
                .isEqualTo(100_000 * local.layers() / 2 + local.window() * local.layers() / 2);
    }

    @Test
    void compressedKeysAreNotDividedAmongDevices() {
        assertThat(step("deepseek-v3", "fp8", "h200-sxm", new Parallelism(8, 1, 1, 1))
                        .sequenceBytes(1000))
                .isEqualTo(step("deepseek-v3", "fp8", "h200-sxm", Parallelism.SINGLE)
                        .sequenceBytes(1000));
        assertThat(step("llama-3.1-70b", "fp8", "h200-sxm", new Parallelism(8, 1, 1, 1))
                        .sequenceBytes(1000))
                .isCloseTo(
                        step("llama-3.1-70b", "fp8", "h200-sxm", Parallelism.SINGLE)
                                        .sequenceBytes(1000)
                                / 8,
                        Percentage.withPercentage(1e-9));
        // More devices than key heads: each keeps one head at least.
        assertThat(step("llama-3.1-70b", "fp8", "h200-sxm", new Parallelism(16, 1, 1, 1))
                        .sequenceBytes(1000))
                .isEqualTo(step("llama-3.1-70b", "fp8", "h200-sxm", new Parallelism(8, 1, 1, 1))
                        .sequenceBytes(1000));
    }

    @Test
    void expertsAreDividedByTheDevicesThatShareThem() {
        WeightParts weights = weights("qwen3-235b-a22b", "fp8");
        ServingProfile profile = new ServingProfile("tensorrt-llm", "v1.1", StandardFormat.FP8, device("h200-sxm"));
        double apart = profile.kvRoom(FITTED, weights, new Parallelism(1, 1, 8, 8));
        double together = profile.kvRoom(FITTED, weights, new Parallelism(1, 1, 4, 4));
        assertThat(apart - together)
                .isCloseTo(
                        FITTED.get("serving/kv-fraction")
                                * FITTED.factor("tensorrt-llm/kv-fraction/own")
                                * FITTED.factor("tensorrt-llm/kv-fraction/v1.1")
                                * weights.experts().bytes()
                                / 8,
                        Percentage.withPercentage(1));
    }

    @Test
    void everyDeviceHasItsOwnWorkspace() {
        ServingRequest request = request("llama-3.1-70b", "fp8");
        DevicePool pool = DevicePool.of(device("h200-sxm"), "H200", 8);
        List<ServingPlan> plans = ServingSearch.of(FITTED)
                .find(request, pool, ServingEngine.TENSORRT_LLM)
                .find()
                .orElseThrow()
                .considered();
        assertThat(plans)
                .hasSizeGreaterThan(3)
                .allMatch(plan -> plan.memory().workspace()
                        == FITTED.get("serving/workspace") * FITTED.factor("tensorrt-llm/workspace/own"));
    }

    @Test
    void memoryOfSeveralCardsIsNoPool() {
        ServingRequest request = request("llama-3.1-70b", "q4_k_m");
        WeightParts weights = weights("llama-3.1-70b", "q4_k_m");
        LlamaCppModel engine = llama("llama-3.1-70b", "q4_k_m");
        double pooled = weights.bytes() + engine.sequenceBytes(request.tokens()) + engine.workspace();
        DeviceFigures half = device("rtx-4090").withMemory(bytes(pooled / 2 / LlamaCppLayout.CAPACITY_SHARE));
        assertThat(find(request, HostMemory.NONE, half, half))
                .as("as one pool it would fit to the byte")
                .isEmpty();
        DeviceFigures roomy =
                half.withMemory(bytes((pooled / 2 + 2 * engine.workspace()) / LlamaCppLayout.CAPACITY_SHARE));
        assertThat(find(request, HostMemory.NONE, roomy, roomy)).isNotEmpty();
    }

    private static Bytes bytes(double count) {
        return Bytes.of(Math.round(count));
    }

    @Test
    void everyCardReadsAtItsOwnBandwidth() {
        ServingRequest request = request("qwen3-32b", "q6_k");
        MixedPlan plan = best(request, HostMemory.NONE, device("rtx-4090"), device("rtx-3060-12"));
        assertThat(plan.devices()).isEqualTo(2);
        double mistaken =
                llama("qwen3-32b", "q6_k").decode(1, request.meanContext()).seconds();
        assertThat(plan.timePerOutputToken().p50()).isGreaterThan(1.15 * mistaken);
        double slow = new LlamaCppModel(
                        shape("qwen3-32b"), weights("qwen3-32b", "q6_k"), device("rtx-3060-12"), 1, true, FITTED)
                .decode(1, request.meanContext())
                .seconds();
        assertThat(plan.timePerOutputToken().p50()).isLessThan(slow);
    }

    @Test
    void laptopPartsAreNotTakenForTheDesktops() {
        for (String name : List.of("GeForce RTX 3060", "GeForce RTX 4090")) {
            assertThat(DEVICES.match(named("NVIDIA " + name + " Laptop GPU")))
                    .hasValueSatisfying(entry -> assertThat(entry.id()).endsWith("-laptop"));
            assertThat(DEVICES.match(named("NVIDIA " + name)))
                    .hasValueSatisfying(entry -> assertThat(entry.id()).doesNotEndWith("-laptop"));
        }
    }

    private static AcceleratorProfile named(String name) {
        return AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 0))
                .with(DeviceFact.DEVICE_NAME, Reading.known(name, Provenance.GIVEN))
                .build();
    }

    @Test
    void theSpeedOfExpertsFollowsFromThoseThatATokenPasses() {
        double mixture = llama("qwen3-30b-a3b", "q8_0").decode(1, 100).seconds();
        double dense = llama("qwen3-32b", "q8_0").decode(1, 100).seconds();
        assertThat(mixture).isLessThan(dense / 3);
        // Many sequences touch nearly all experts.
        double many = llama("qwen3-30b-a3b", "q8_0").decode(32, 100).experts();
        assertThat(many)
                .isGreaterThan(5 * llama("qwen3-30b-a3b", "q8_0").decode(1, 100).experts());
    }

    @Test
    void expertsOnTheHostAreReadAtTheHostsBandwidth() {
        ServingRequest request = request("gpt-oss-120b", "mxfp4_moe");
        MixedPlan plan = best(request, DESKTOP, device("rtx-4090"));
        assertThat(plan.hostExperts()).isPositive();
        double onTheCard = llama("gpt-oss-120b", "mxfp4_moe")
                .decode(1, request.meanContext())
                .seconds();
        assertThat(plan.timePerOutputToken().p50()).isGreaterThan(3 * onTheCard);
        double allParameters = weights("gpt-oss-120b", "mxfp4_moe").bytes() / DESKTOP.bytesPerSecond();
        assertThat(plan.timePerOutputToken().p50()).isLessThan(allParameters / 10);
    }

    @Test
    void peaksAreThoseWithoutStructuredSparsity() {
        assertThat(DEVICES.find("h100-sxm")
                        .orElseThrow()
                        .peak(Precision.FP16)
                        .find()
                        .map(OperationRate::teraPerSecond))
                .hasValueSatisfying(peak -> assertThat(peak).isBetween(980.0, 1000.0));
    }

    @Test
    void throughputFollowsBatchAndContext() {
        StepModel model = step("llama-3.1-8b", "fp16", "h100-sxm", Parallelism.SINGLE);
        double one = 1 / model.stage(1, 1, 1000).seconds();
        double many = 64 / model.stage(64, 1, 1000).seconds();
        double longer = 64 / model.stage(64, 1, 20_000).seconds();
        assertThat(many).isGreaterThan(20 * one);
        assertThat(longer).isLessThan(many / 2);
    }

    @Test
    void theHeadIsALayerAndItsLogitsLieWhereItIs() {
        ServingRequest request = request("llama-3.1-70b", "q4_k_m");
        MixedPlan plan = best(request, DESKTOP, device("rtx-4090"), device("rtx-3060-12"));
        LlamaCppModel engine = llama("llama-3.1-70b", "q4_k_m");
        assertThat(plan.placements()).hasSize(3);
        int onHost = plan.placements().getFirst().layers();
        assertThat(plan.deviceLayers()).isEqualTo(80 - onHost + 1);
        for (MixedPlan.Placement placement : plan.placements()) {
            double buffers = engine.layerBuffer()
                    + (placement.isHost() ? 0 : engine.contextBytes())
                    + (placement.hasHead() ? engine.logitBuffer() : 0);
            assertThat(placement.memory().workspace()).isEqualTo(buffers);
            assertThat(placement.hasHead())
                    .isEqualTo(placement.equals(plan.placements().getLast()));
        }
        MixedPlan.Placement last = plan.placements().getLast();
        double layer = weights("llama-3.1-70b", "q4_k_m").bytes() / 80;
        assertThat(last.memory().weights() - (last.layers() - 1) * layer)
                .as("the head is on the card with the last layer")
                .isGreaterThan(weights("llama-3.1-70b", "q4_k_m").head().bytes());
    }

    @Test
    void everyCardOfASplitHasItsOwnComputeBuffer() {
        ServingRequest request = request("llama-3.1-70b", "q4_k_m");
        MixedPlan plan = best(request, HostMemory.NONE, device("rtx-4090"), device("rtx-3090"), device("rtx-3060-12"));
        LlamaCppModel engine = llama("llama-3.1-70b", "q4_k_m");
        double all = plan.placements().stream()
                .mapToDouble(placement -> placement.memory().workspace())
                .sum();
        int cards = plan.devices();
        assertThat(cards).isGreaterThan(1);
        assertThat(all)
                .isCloseTo(
                        cards * (engine.layerBuffer() + engine.contextBytes()) + engine.logitBuffer(),
                        Percentage.withPercentage(1e-9));
    }

    @Test
    void fewerBitsDoNotMakePromptsFaster() {
        assertThat(llama("llama-3-8b", "q4_k_m").prefill(2048, 0).seconds())
                .isGreaterThan(llama("llama-3-8b", "fp16").prefill(2048, 0).seconds());
    }

    @Test
    void moreDevicesHelpALargeModelMoreThanASmallOne() {
        double small = speedUp("llama-3.2-1b");
        double large = speedUp("llama-3.1-70b");
        assertThat(large).isGreaterThan(1.5 * small);
    }

    private static double speedUp(String model) {
        double alone = step(model, "fp8", "h200-sxm", Parallelism.SINGLE)
                .stage(1, 1, 1000)
                .seconds();
        return alone
                / step(model, "fp8", "h200-sxm", new Parallelism(8, 1, 1, 1))
                        .stage(1, 1, 1000)
                        .seconds();
    }

    private static ServingRequest request(String model, String format) {
        return ServingTerms.request(model, format, 1, ServingGoal.LATENCY);
    }

    private static MixedPlan best(ServingRequest request, HostMemory host, DeviceFigures... cards) {
        return find(request, host, cards).getFirst();
    }

    private static List<MixedPlan> find(ServingRequest request, HostMemory host, DeviceFigures... cards) {
        List<PlannedDevice> devices = new ArrayList<>();
        for (DeviceFigures card : cards) {
            devices.add(PlannedDevice.of(card, card.id()));
        }
        return MixedSearch.of(FITTED).find(request, devices, host).find().orElseThrow();
    }

    private static StepModel step(String model, String format, String device, Parallelism layout) {
        DeviceFigures figures = device(device);
        EngineRates rates =
                new ServingProfile("tensorrt-llm", "", WeightFormat.parse(format), figures).rates(FITTED, 1);
        return new StepModel(shape(model), weights(model, format), figures, rates, layout, 1);
    }

    private static LlamaCppModel llama(String model, String format) {
        return new LlamaCppModel(shape(model), weights(model, format), device("rtx-4090"), 1, true, FITTED);
    }

    private static DeviceFigures device(String id) {
        return DeviceFigures.of(DEVICES.find(id).orElseThrow());
    }

    private static ModelShape shape(String model) {
        return ModelShape.of(architecture(model)).orElseThrow();
    }

    private static WeightParts weights(String model, String format) {
        return WeightParts.of(StoredWeights.of(architecture(model), WeightFormat.parse(format))
                .find()
                .orElseThrow());
    }

    private static ModelArchitecture architecture(String model) {
        return MODELS.find(model).orElseThrow().architecture();
    }
}
