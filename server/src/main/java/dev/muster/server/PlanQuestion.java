// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceChoice;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.model.ModelSize;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.catalogue.ModelName;
import dev.muster.model.memory.WeightFormat;
import dev.muster.monitor.Sampler.Sample;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.MemoryBasis;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingLimits;
import dev.muster.plan.serving.ServingRequest;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// A client's question to the planner, from the body of its request. Immutable.
///
/// @param planner planner with the devices
/// @param serving the request
/// @param choices choices of the planner
/// @param target target of launch files
record PlanQuestion(Planner planner, ServingRequest serving, ServingChoices choices, Optional<LaunchTarget> target) {
    private static final int MOST_TOKENS = 10_000_000;
    private static final int MOST_SEQUENCES = 100_000;
    private static final int MOST_FORMATS = 8;
    private static final String ALL = "all";
    private static final Set<String> KEYS = Set.of(
            "model",
            "contextTokens",
            "outputTokens",
            "concurrency",
            "goal",
            "engine",
            "formats",
            "offload",
            "devices",
            "maxTtftSeconds",
            "maxTpotSeconds",
            "emit");

    /// @param newest sample with the devices, on its day
    static PlanQuestion read(String body, Sample newest) {
        try {
            JsonValue document = JsonValue.parse(body);
            if (!(document instanceof JsonObject object)) {
                throw Refusal.badRequest("the body is a JSON object such as {\"model\": \"llama-3.1-8b\"}");
            }
            for (String key : object.members().keySet()) {
                if (!KEYS.contains(key)) {
                    throw Refusal.badRequest("a plan is asked for with these keys alone: "
                            + String.join(", ", KEYS.stream().sorted().toList()));
                }
            }
            ModelSummary model = model(document.requireText("model"));
            int context = whole(document, "contextTokens", ServingRequest.DEFAULT_CONTEXT, 2, MOST_TOKENS);
            int output = whole(
                    document, "outputTokens", Math.min(ServingRequest.DEFAULT_OUTPUT, context / 2), 1, context - 1);
            int concurrency = whole(document, "concurrency", 1, 1, MOST_SEQUENCES);
            ServingGoal usual = concurrency == 1 ? ServingGoal.LATENCY : ServingGoal.THROUGHPUT;
            ServingRequest serving = ServingRequest.of(model)
                    .withTokens(context - output, output)
                    .withConcurrency(concurrency)
                    .withGoal(find(document, "goal", ServingGoal::find, ServingGoal.labels())
                            .orElse(usual))
                    .withLimits(limits(document));
            List<WeightFormat> formats = formats(document);
            ServingChoices choices = new ServingChoices(
                    find(document, "engine", ServingEngine::find, ServingEngine.labels()),
                    formats,
                    document.find("offload")
                            .filter(new JsonBoolean(true)::equals)
                            .isPresent(),
                    false);
            return new PlanQuestion(
                    planner(document, newest.registry())
                            .withToday(newest.at().atZone(ZoneOffset.UTC).toLocalDate()),
                    formats.isEmpty() ? serving : serving.withFormat(formats.getFirst()),
                    choices,
                    find(document, "emit", LaunchTarget::find, LaunchTarget.labels()));
        } catch (DocumentException | IllegalArgumentException e) {
            throw Refusal.badRequest(String.valueOf(e.getMessage()));
        }
    }

    /// Returns the model, never from a file: the server opens none for a client.
    private static ModelSummary model(String text) {
        if (ModelSize.isMeant(text)) {
            return ModelSummary.ofSize(text, ModelSize.parse(text));
        }
        return ModelName.resolve(text, ModelCatalogue.builtIn())
                .orElseThrow(() -> Refusal.of(
                        422, "no-model", "that is neither a size as in 70B nor a name that /api/v1/models lists"))
                .toSummary();
    }

    private static int whole(JsonValue document, String name, int usual, int least, int most) {
        Optional<JsonValue> value = document.find(name);
        if (value.isEmpty()) {
            return usual;
        }
        if (value.get() instanceof JsonNumber number
                && number.isWhole()
                && number.toDouble() >= least
                && number.toDouble() <= most) {
            return (int) number.toDouble();
        }
        throw Refusal.badRequest("'" + name + "' is a whole number from " + least + " to " + most);
    }

    private static <T> Optional<T> find(
            JsonValue document, String name, Function<String, Optional<T>> find, List<String> all) {
        Optional<JsonValue> value = document.find(name);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        Optional<T> found = value.get() instanceof JsonString text ? find.apply(text.value()) : Optional.empty();
        if (found.isEmpty()) {
            throw Refusal.badRequest("'" + name + "' is one of " + String.join(", ", all));
        }
        return found;
    }

    private static List<WeightFormat> formats(JsonValue document) {
        List<WeightFormat> formats = new ArrayList<>();
        if (document.find("formats").isPresent()) {
            if (!(document.find("formats").get() instanceof JsonArray array)
                    || array.items().size() > MOST_FORMATS) {
                throw Refusal.badRequest("'formats' is a list of up to " + MOST_FORMATS + " weight formats");
            }
            for (JsonValue item : array.items()) {
                Optional<WeightFormat> format =
                        item instanceof JsonString text ? WeightFormat.find(text.value()) : Optional.empty();
                formats.add(format.orElseThrow(
                        () -> Refusal.badRequest("'formats' has one that is no weight format, as bf16 or fp8 are")));
            }
        }
        return formats;
    }

    /// Returns the devices that are free, with what is free of their memory, or all of them with all of it.
    private static Planner planner(JsonValue document, AcceleratorRegistry registry) {
        Planner usual = Planner.of(registry);
        boolean all = find(
                        document,
                        "devices",
                        text -> Set.of("free", ALL).contains(text) ? Optional.of(text) : Optional.empty(),
                        List.of("free", ALL))
                .filter(ALL::equals)
                .isPresent();
        return all ? usual.withDevices(DeviceChoice.named(registry, ALL)).withMemory(MemoryBasis.TOTAL) : usual;
    }

    private static ServingLimits limits(JsonValue document) {
        ServingLimits limits = ServingLimits.NONE;
        limits = document.find("maxTtftSeconds").isPresent()
                ? limits.withTimeToFirstToken(positive(document, "maxTtftSeconds"))
                : limits;
        return document.find("maxTpotSeconds").isPresent()
                ? limits.withTimePerOutputToken(positive(document, "maxTpotSeconds"))
                : limits;
    }

    private static double positive(JsonValue document, String name) {
        if (document.find(name).orElseThrow() instanceof JsonNumber number && number.toDouble() > 0) {
            return number.toDouble();
        }
        throw Refusal.badRequest("'" + name + "' is a number of seconds above 0");
    }
}
