// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.Provenance;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.WeightFormat;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.HostMemory;
import dev.muster.plan.cost.PlannedDevice;
import dev.muster.plan.cost.StepTime;
import dev.muster.plan.serving.ImageInput;
import dev.muster.plan.serving.MixedPlan;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.LlamaCppModel;
import dev.muster.plan.time.ModelLayers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MixedSearchTest {
    private static final ModelCatalogue MODELS = ModelCatalogue.builtIn();
    private static final DeviceCatalogue DEVICES = DeviceCatalogue.builtIn();
    private static final CoefficientTable FITTED = CoefficientTable.builtIn();
    private static final MixedSearch SEARCH = MixedSearch.of(FITTED);
    private static final HostMemory DESKTOP = new HostMemory(96e9, 60e9, "test");
    private static final Random RANDOM = new Random(5);

    @Test
    void layersGoToTheFastestCardAsFarAsItHoldsThem() {
        MixedPlan plan = best("qwen3-32b", "q6_k", HostMemory.NONE, "rtx-4090", "rtx-3060-12");
        assertThat(plan.placements()).hasSize(2).allMatch(one -> one.memory().fits());
        MixedPlan.Placement fast = placement(plan, "4090");
        MixedPlan.Placement slow = placement(plan, "3060");
        assertThat(fast.layers()).isGreaterThan(3 * slow.layers());
        double layer = (fast.memory().weights() + fast.memory().kvCache()) / fast.layers();
        assertThat(fast.memory().capacity() - fast.memory().total())
                .as("no further layer fits")
                .isLessThan(layer);
    }

    @Test
    void aCardThatWouldOnlySlowItDownStaysEmpty() {
        MixedPlan plan = best("llama-3.1-8b", "q4_k_m", HostMemory.NONE, "rtx-3060-12", "rtx-4090");
        assertThat(plan.devices()).isEqualTo(1);
        assertThat(placement(plan, "4090").layers()).isEqualTo(32);
        assertThat(plan.idle()).singleElement().asString().contains("3060");
    }

    @Test
    void whatDoesNotFitHasNoPlan() {
        assertThat(find("llama-3.1-70b", "q8_0", HostMemory.NONE, "rtx-4090", "rtx-3060-12"))
                .isEmpty();
    }

    @Test
    void ofADenseModelTheFirstLayersStayOnTheHost() {
        MixedPlan plan = best("llama-3.1-70b", "q4_k_m", DESKTOP, "rtx-4090");
        MixedPlan.Placement host = plan.placements().getFirst();
        assertThat(host.isHost()).isTrue();
        assertThat(host.firstLayer()).isZero();
        assertThat(host.layers()).isBetween(30, 60);
        MixedPlan.Placement card = plan.placements().getLast();
        assertThat(card.firstLayer()).isEqualTo(host.layers());
        assertThat(card.hasHead()).isTrue();
        assertThat(plan.hostExperts()).isZero();
        assertThat(plan.deviceLayers())
                .as("llama.cpp counts the head as a layer")
                .isEqualTo(80 - host.layers() + 1);
        double hostSeconds = (host.memory().weights() - embedding("llama-3.1-70b", "q4_k_m")) / 60e9;
        assertThat(plan.timePerOutputToken().p50()).isGreaterThan(hostSeconds);
    }

    @Test
    void ofAMixtureTheExpertsGoToTheHostFirst() {
        MixedPlan plan = best("gpt-oss-120b", "mxfp4_moe", DESKTOP, "rtx-4090");
        MixedPlan.Placement host = plan.placements().getFirst();
        assertThat(host.isHost()).isTrue();
        assertThat(host.layers()).as("attention and keys stay on the card").isZero();
        assertThat(host.memory().kvCache()).isZero();
        assertThat(plan.hostExperts()).isBetween(20, 35);
        MixedPlan.Placement card = plan.placements().getLast();
        assertThat(card.layers()).isEqualTo(36);
        assertThat(card.expertsElsewhere()).isEqualTo(plan.hostExperts());
    }

    /// Measured: 36.7 tokens/s with `--n-cpu-moe 36`, 8 GB and 448 GB/s on the card, 102 GB/s on the host
    /// (github.com/AlexsJones/llmfit/pull/755).
    @Test
    void aMeasuredMixtureWithExpertsOnTheHostLiesWithinTheInterval() {
        DeviceEntry entry = DEVICES.find("rtx-2080-ti").orElseThrow();
        DeviceFigures figures = DeviceFigures.of(entry)
                .times(448.0 / 616, 0.75, Provenance.GIVEN)
                .withMemory(bytes(8.0 * (1L << 30) * 0.99));
        MixedPlan plan = SEARCH.find(
                        ServingTerms.request("qwen3-30b-a3b", "q4_k_m", 1, ServingGoal.LATENCY)
                                .withTokens(512, 512),
                        List.of(PlannedDevice.of(figures, "RTX 2080")),
                        new HostMemory(64e9, 102e9, "measured"))
                .find()
                .orElseThrow()
                .getFirst();
        assertThat(plan.usesHost()).isTrue();
        assertThat(plan.hostExperts()).as("%s", plan).isBetween(30, 42);
        Estimate rate = new Estimate(
                1 / plan.timePerOutputToken().p90(),
                1 / plan.timePerOutputToken().p50(),
                1 / plan.timePerOutputToken().p10());
        assertThat(36.7).isBetween(rate.p10(), rate.p90());
    }

    @Test
    void intervalsAreWiderWhereTheHostHelps() {
        MixedPlan alone = best("llama-3.1-8b", "q4_k_m", DESKTOP, "rtx-4090");
        MixedPlan helped = best("llama-3.1-70b", "q4_k_m", DESKTOP, "rtx-4090");
        assertThat(alone.usesHost()).isFalse();
        assertThat(helped.usesHost()).isTrue();
        assertThat(Math.log(helped.timePerOutputToken().p90()
                        / helped.timePerOutputToken().p50()))
                .isCloseTo(
                        2
                                * Math.log(alone.timePerOutputToken().p90()
                                        / alone.timePerOutputToken().p50()),
                        within(1e-9));
    }

    /// For one sequence, parts add up to what the whole model takes on equal devices.
    @ParameterizedTest
    @CsvSource({
        "llama-3.1-8b, q4_k_m",
        "qwen3-30b-a3b, q8_0",
        "gpt-oss-20b, mxfp4_moe",
        "gemma-2-9b, q5_k_m",
        "qwen3.5-27b, q4_k_m",
        "deepseek-v3, q4_k_m"
    })
    void partsAddUpToTheWhole(String model, String format) {
        ModelLayers layers = layers(model, format);
        LlamaCppModel whole = new LlamaCppModel(
                layers.whole().shape(), layers.whole().weights(), figures("rtx-4090"), 1, true, FITTED);
        StepTime sum = whole.decodePart(layers.outside(), 1, 5000);
        StepTime prompt = whole.prefillPart(layers.outside(), 3000, 0);
        double cache = 0;
        for (var layer : layers.layers()) {
            sum = sum.plus(whole.decodePart(layer, 1, 5000));
            prompt = prompt.plus(whole.prefillPart(layer, 3000, 0));
            cache += whole.sequenceBytes(layer, 5000);
        }
        assertThat(sum.seconds() + whole.stepSeconds())
                .isCloseTo(whole.decode(1, 5000).seconds(), within(1e-12));
        assertThat(prompt.seconds()).isCloseTo(whole.prefill(3000, 0).seconds(), within(1e-9));
        assertThat(cache).isCloseTo(whole.sequenceBytes(5000), within(1.0));
        assertThat(layers.layers().stream()
                                .mapToDouble(part -> part.denseBytes() + part.expertBytes())
                                .sum()
                        + layers.headBytes()
                        + layers.embeddingBytes()
                        - layers.sharedBytes())
                .isCloseTo(layers.whole().weights().bytes(), within(1.0));
    }

    @Test
    void equalCardsAreAsFastAsTheSearchOverEqualDevicesSays() {
        MixedPlan split = best("qwen3-32b", "q8_0", HostMemory.NONE, "rtx-4090", "rtx-4090");
        LlamaCppModel two = new LlamaCppModel(
                layers("qwen3-32b", "q8_0").whole().shape(),
                layers("qwen3-32b", "q8_0").whole().weights(),
                figures("rtx-4090"),
                2,
                true,
                FITTED);
        assertThat(split.timePerOutputToken().p50())
                .isCloseTo(two.decode(1, 2048 + 128).seconds(), within(1e-9));
    }

    @RepeatedTest(30)
    void moreMemoryOrMoreCardsAreNeverWorse() {
        List<PlannedDevice> devices = anyDevices();
        ServingRequest request = anyRequest();
        HostMemory host = RANDOM.nextBoolean() ? DESKTOP : HostMemory.NONE;
        List<MixedPlan> before = SEARCH.find(request, devices, host).find().orElseThrow();
        List<PlannedDevice> larger = new ArrayList<>(devices);
        PlannedDevice first = devices.getFirst();
        larger.set(
                0,
                PlannedDevice.of(
                        first.figures().withMemory(bytes(1.5 * first.figures().memory())), first.name()));
        List<PlannedDevice> more = new ArrayList<>(devices);
        more.add(device("rtx-3060-12"));
        if (!before.isEmpty()) {
            for (List<PlannedDevice> better : List.of(larger, more)) {
                List<MixedPlan> after =
                        SEARCH.find(request, better, host).find().orElseThrow();
                assertThat(after).isNotEmpty();
                assertThat(after.getFirst().timePerOutputToken().p50())
                        .isLessThanOrEqualTo(
                                before.getFirst().timePerOutputToken().p50() + 1e-12);
            }
        }
    }

    @RepeatedTest(40)
    void everyLayerHasOnePlaceWithRoomForIt() {
        ServingRequest request = anyRequest();
        HostMemory host = RANDOM.nextBoolean() ? DESKTOP : HostMemory.NONE;
        ModelLayers model = ModelLayers.of(
                        request.architecture(),
                        StoredWeights.of(request.architecture(), request.format())
                                .find()
                                .orElseThrow())
                .orElseThrow();
        for (MixedPlan plan : SEARCH.find(request, anyDevices(), host).find().orElseThrow()) {
            int next = 0;
            double weights = 0;
            for (MixedPlan.Placement placement : plan.placements()) {
                assertThat(placement.memory().fits()).isTrue();
                assertThat(placement.firstLayer()).isEqualTo(next);
                next += placement.layers();
                weights += placement.memory().weights();
            }
            assertThat(next).isEqualTo(model.layers().size());
            assertThat(plan.placements())
                    .filteredOn(MixedPlan.Placement::hasHead)
                    .hasSize(1);
            assertThat(plan.step().seconds())
                    .isCloseTo(plan.timePerOutputToken().p50(), within(1e-12));
            boolean once = host.equals(HostMemory.NONE) && plan.devices() == 1;
            boolean onHost = host.equals(DESKTOP) && !plan.usesHost();
            double all = model.whole().weights().bytes()
                    + (once ? 0 : model.sharedBytes())
                    - (onHost ? model.embeddingBytes() : 0);
            assertThat(weights).as("%s", plan).isCloseTo(all, within(10.0));
        }
    }

    @RepeatedTest(20)
    void theOrderInWhichCardsAreNamedChangesNothing() {
        List<PlannedDevice> devices = anyDevices();
        List<PlannedDevice> shuffled = new ArrayList<>(devices);
        Collections.shuffle(shuffled, RANDOM);
        ServingRequest request = anyRequest();
        assertThat(SEARCH.find(request, shuffled, DESKTOP)).isEqualTo(SEARCH.find(request, devices, DESKTOP));
    }

    @Test
    void fewestCardsAreAskedForAndGiven() {
        ServingRequest request = ServingTerms.request("llama-3.1-8b", "q8_0", 1, ServingGoal.DEVICES);
        List<MixedPlan> plans = SEARCH.find(
                        request, List.of(device("rtx-4090"), device("rtx-3060-12")), HostMemory.NONE)
                .find()
                .orElseThrow();
        assertThat(plans.getFirst().devices()).isEqualTo(1);
        assertThat(plans).hasSize(2);
    }

    @Test
    void anUnknownArchitectureIsUnknown() {
        ServingRequest request = ServingRequest.of(ServingTerms.unknownModel());
        assertThat(SEARCH.find(request, List.of(device("rtx-4090")), HostMemory.NONE)
                        .isKnown())
                .isFalse();
    }

    private static ServingRequest anyRequest() {
        List<String> names = List.of("llama-3.1-8b", "qwen3-32b", "qwen3-30b-a3b", "gpt-oss-20b", "gemma-2-9b");
        List<String> formats = List.of("q4_k_m", "q8_0");
        return new ServingRequest(
                ServingTerms.model(names.get(RANDOM.nextInt(names.size()))),
                WeightFormat.parse(formats.get(RANDOM.nextInt(2))),
                RANDOM.nextInt(16, 20_000),
                RANDOM.nextInt(1, 2000),
                RANDOM.nextInt(1, 9),
                ServingGoal.LATENCY,
                Slo.NONE,
                Optional.empty(),
                0,
                false,
                ImageInput.NONE);
    }

    private static List<PlannedDevice> anyDevices() {
        List<String> ids = List.of("rtx-4090", "rtx-3090", "rtx-3060-12", "rx-7900-xtx", "rtx-4070");
        List<PlannedDevice> devices = new ArrayList<>();
        for (int count = RANDOM.nextInt(1, 4); count > 0; count--) {
            devices.add(device(ids.get(RANDOM.nextInt(ids.size()))));
        }
        return devices;
    }

    private static MixedPlan.Placement placement(MixedPlan plan, String name) {
        return plan.placements().stream()
                .filter(one -> one.device().contains(name))
                .findFirst()
                .orElseThrow();
    }

    private static MixedPlan best(String model, String format, HostMemory host, String... ids) {
        return find(model, format, host, ids).getFirst();
    }

    private static List<MixedPlan> find(String model, String format, HostMemory host, String... ids) {
        List<PlannedDevice> devices = new ArrayList<>();
        for (String id : ids) {
            devices.add(device(id));
        }
        return SEARCH.find(ServingTerms.request(model, format, 1, ServingGoal.LATENCY), devices, host)
                .find()
                .orElseThrow();
    }

    private static double embedding(String model, String format) {
        return layers(model, format).embeddingBytes();
    }

    private static ModelLayers layers(String model, String format) {
        return ModelLayers.of(
                        architecture(model),
                        StoredWeights.of(architecture(model), WeightFormat.parse(format))
                                .find()
                                .orElseThrow())
                .orElseThrow();
    }

    private static Bytes bytes(double count) {
        return Bytes.of(Math.round(count));
    }

    private static PlannedDevice device(String id) {
        return PlannedDevice.of(figures(id), DEVICES.find(id).orElseThrow().name());
    }

    private static DeviceFigures figures(String id) {
        return DeviceFigures.of(DEVICES.find(id).orElseThrow());
    }

    private static ModelArchitecture architecture(String model) {
        return MODELS.find(model).orElseThrow().architecture();
    }
}
