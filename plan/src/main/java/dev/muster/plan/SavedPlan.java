// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.plan.cost.StepCommunication;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.Set;

/// A plan that was saved as a document, with the figures that can be compared.
///
/// @param kind `serving-plan`, `split-plan` or `training-plan`
/// @param model the model's name
/// @param plan its figures
/// @since 0.1
public record SavedPlan(String kind, String model, JsonValue plan) {
    /// The compared figures, by their names in documents.
    public static final List<String> COMPARED = List.of(
            "engine",
            "framework",
            "device",
            "devices",
            "replicas",
            "dataParallel",
            "tensorParallel",
            "contextParallel",
            "pipelineParallel",
            "expertParallel",
            "microBatch",
            "recompute",
            "weightBytes",
            "kvCacheBytes",
            "peakBytes",
            "tokensPerSecond",
            "timePerOutputTokenSeconds",
            "timeToFirstTokenSeconds",
            "timeToFirstTokenQueuedSeconds",
            "stepSeconds",
            "mfuRatio",
            "usdPerMillionTokens",
            "joulesPerToken");

    /// The schema number of documents that this version writes.
    private static final int SCHEMA = 1;

    private static final Set<String> KINDS = Set.of("serving-plan", "split-plan", "training-plan");

    /// Reads a document.
    ///
    /// @throws DocumentException if it is not JSON
    /// @throws IllegalArgumentException if it is not a plan, or says that nothing fits; the message says which
    public static SavedPlan parse(String text) {
        JsonValue document = JsonValue.parse(text);
        String kind = text(document, "kind")
                .filter(KINDS::contains)
                .orElseThrow(() -> new IllegalArgumentException("is not a plan"));
        if (document.find("schema")
                        .map(SavedPlan::middle)
                        .orElse(OptionalDouble.empty())
                        .orElse(1)
                > SCHEMA) {
            throw new IllegalArgumentException("holds a plan that a newer Muster wrote, which this one cannot read");
        }
        JsonValue plan = document.find("plan")
                .orElseThrow(() -> new IllegalArgumentException("holds no plan, because the model did not fit"));
        return new SavedPlan(kind, text(document, "model").orElse("a model"), plan);
    }

    /// Returns a figure of the plan by its name in documents: a number, or the middle of a prediction.
    public OptionalDouble findFigure(String name) {
        return plan.find(name).map(SavedPlan::middle).orElse(OptionalDouble.empty());
    }

    private static OptionalDouble middle(JsonValue value) {
        return switch (value) {
            case JsonNumber number -> OptionalDouble.of(number.toDouble());
            case JsonObject object -> object.find("p50").map(SavedPlan::middle).orElse(OptionalDouble.empty());
            case JsonArray _, JsonString _, JsonBoolean _, JsonNull _ -> OptionalDouble.empty();
        };
    }

    /// Returns the communication of its ranks in a step; empty in plans of unlike devices, and in those that an
    /// earlier version saved.
    ///
    /// @throws DocumentException if it is there and makes no sense
    public Optional<StepCommunication> findCommunication() {
        return plan.find("communication").map(CommunicationReader::read);
    }

    /// Returns the mesh of its devices: the sizes of its axes, the outermost first.
    ///
    /// @throws DocumentException if it is not there or makes no sense
    public SequencedMap<String, Integer> mesh() {
        return CommunicationReader.mesh(plan);
    }

    /// Returns the ratio of a figure of this plan to that of another; empty if one of them is missing, or this one is
    /// not above 0.
    ///
    /// @param name its name in documents
    public Optional<Double> ratio(SavedPlan other, String name) {
        OptionalDouble one = findFigure(name);
        OptionalDouble two = other.findFigure(name);
        return one.isPresent() && one.getAsDouble() > 0 && two.isPresent()
                ? Optional.of(two.getAsDouble() / one.getAsDouble())
                : Optional.empty();
    }

    /// Returns this plan and another one beside each other: kind `plan-comparison`.
    ///
    /// @param file file of this plan
    /// @param otherFile file of the other one
    public JsonValue compare(String file, SavedPlan other, String otherFile) {
        JsonObject.ObjectBuilder ratios = JsonObject.builder();
        for (String name : COMPARED) {
            ratios.put(name, ratio(other, name), JsonNumber::of);
        }
        return JsonObject.document("plan-comparison")
                .put("a", side(file))
                .put("b", other.side(otherFile))
                .put("ratios", ratios.build())
                .build();
    }

    private JsonValue side(String file) {
        return JsonObject.builder()
                .put("file", file)
                .put("planKind", kind)
                .put("model", model)
                .build();
    }

    private static Optional<String> text(JsonValue document, String name) {
        return document.find(name).map(value -> value instanceof JsonString(String text) ? text : "");
    }
}
