// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelSize;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.engine.EngineRules;
import dev.muster.plan.serving.ImageInput;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.time.CoefficientTable;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// Requests and devices that tests of the search share.
public final class ServingTerms {
    static final DeviceCatalogue DEVICES = DeviceCatalogue.builtIn();
    static final RentalOffers OFFERS = RentalOffers.of(PriceCatalogue.builtIn(), DEVICES, Optional.empty());
    static final CoefficientTable COEFFICIENTS = CoefficientTable.builtIn();
    static final ServingSearch SEARCH = ServingSearch.of(COEFFICIENTS, OFFERS);
    /// Kinds of devices that are for rent.
    static final List<String> KINDS = List.of("h100-sxm", "h200-sxm", "l40s", "mi300x", "b200-sxm");

    private static final ModelCatalogue MODELS = ModelCatalogue.builtIn();
    private static final List<String> NAMES =
            List.of("llama-3.1-8b", "llama-3.1-70b", "qwen3-30b-a3b", "mixtral-8x7b", "gemma-2-9b", "deepseek-v3");

    private ServingTerms() {}

    public static ModelSummary model(String name) {
        return MODELS.find(name).orElseThrow().toSummary();
    }

    /// A model of unknown architecture.
    public static ModelSummary unknownModel() {
        return ModelSummary.ofSize("8B", ModelSize.parse("8B"));
    }

    public static ModelArchitecture architecture(String model) {
        return model(model).architecture();
    }

    public static DevicePool pool(String id, int count) {
        DeviceEntry entry = DEVICES.find(id).orElseThrow();
        return DevicePool.of(DeviceFigures.of(entry), entry.name(), count);
    }

    public static ServingRequest request(String model, String format, int concurrency, ServingGoal goal) {
        return ServingRequest.of(model(model))
                .withFormat(WeightFormat.parse(format))
                .withTokens(2048, 256)
                .withConcurrency(concurrency)
                .withGoal(goal);
    }

    public static ServingRequest anyRequest(Random random) {
        return new ServingRequest(
                model(any(NAMES, random)),
                WeightFormat.parse(any(List.of("bf16", "fp8", "awq-int4"), random)),
                random.nextInt(1, 20_000),
                random.nextInt(1, 2000),
                random.nextInt(1, 300),
                any(List.of(ServingGoal.values()), random),
                Slo.NONE,
                Optional.empty(),
                0,
                false,
                ImageInput.NONE);
    }

    public static DevicePool anyPool(Random random, int most) {
        return pool(any(KINDS, random), random.nextInt(1, most + 1));
    }

    /// An engine that runs on the devices and reads the format.
    public static ServingEngine anySoftware(ServingRequest request, DevicePool pool, Random random) {
        return any(
                Arrays.stream(ServingEngine.values())
                        .filter(one -> one.runsOn(pool.device().family()) && one.reads(request.format()))
                        .filter(one -> isTaken(request, pool, one))
                        .toList(),
                random);
    }

    /// Reports whether a release of the engine takes the model and its weights on the devices, by its rules.
    public static boolean isTaken(ServingRequest request, DevicePool pool, ServingEngine software) {
        return EngineRules.of(software, request.architecture(), request.format(), pool.device())
                .findRefusal()
                .isEmpty();
    }

    public static <T> T any(List<T> values, Random random) {
        return values.get(random.nextInt(values.size()));
    }

    public static PlanAnswer<ServingPlan> find(ServingRequest request, DevicePool pool, ServingEngine software) {
        return SEARCH.find(request, pool, software).find().orElseThrow();
    }

    public static ServingPlan best(ServingRequest request, DevicePool pool, ServingEngine software) {
        return PlanAnswers.best(find(request, pool, software));
    }
}
