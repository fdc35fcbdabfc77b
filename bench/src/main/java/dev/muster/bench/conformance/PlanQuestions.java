// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.conformance;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.json.ReferenceDocument;
import dev.muster.plan.rules.MemoryEstimate;
import dev.muster.plan.rules.ReferencePlanDocument;
import dev.muster.plan.rules.RulePlanner;
import dev.muster.plan.rules.ShardingPlan;
import dev.muster.plan.training.TrainingMethod;
import java.util.Arrays;
import java.util.Base64;
import java.util.OptionalLong;

/// Questions to the rules.
final class PlanQuestions {
    private PlanQuestions() {}

    static JsonValue plan(JsonValue input) {
        AcceleratorRegistry registry = registry(input);
        ShardingPlan plan = RulePlanner.of(registry).plan(parameters(input), level(input));
        // Through the text, so that reading it is asked too.
        ShardingPlan read = ReferencePlanDocument.read(ReferencePlanDocument.write(plan));
        return Json.object(
                "plan", ReferencePlanDocument.toTree(read),
                "display", plan.display(),
                "fits_in_memory", plan.fitsInMemory(registry),
                "min_devices", plan.strategy().minDevices());
    }

    static JsonValue suggestion(JsonValue input) {
        return new JsonString(RulePlanner.of(registry(input))
                .suggestQuantization(parameters(input))
                .level()
                .referenceName());
    }

    static JsonValue memory(JsonValue input) {
        return Json.value(RulePlanner.estimateMemory(parameters(input), level(input)));
    }

    static JsonValue training(JsonValue input) {
        TrainingMethod method = HardwareQuestions.method(input.require("method"));
        MemoryEstimate.Target target = HardwareQuestions.pick(
                MemoryEstimate.Target.values(), MemoryEstimate.Target::referenceName, input.require("target"));
        MemoryEstimate estimate = MemoryEstimate.of(unsigned(input.require("params_millions")), method, target);
        return Json.object(
                "display", estimate.display(),
                "estimate",
                        Json.object(
                                "model_gb", estimate.modelGib(),
                                "optimizer_gb", estimate.optimizerGib(),
                                "activation_gb", estimate.activationGib(),
                                "total_gb", estimate.totalGib()));
    }

    static JsonValue modelFormat(JsonValue input) {
        byte[] given = Base64.getDecoder().decode(input.requireText("bytes_b64"));
        int length =
                input.find("pad_to").map(Json::number).map(Math::toIntExact).orElse(given.length);
        byte[] file = Arrays.copyOf(given, Math.max(given.length, length));
        byte padding = input.find("pad_byte").map(Json::number).orElse(0L).byteValue();
        Arrays.fill(file, given.length, file.length, padding);
        boolean window = input.requireText("via").equals("file") && file.length > FormatRule.WINDOW;
        return FormatRule.look(window ? Arrays.copyOf(file, FormatRule.WINDOW) : file)
                .map(PlanQuestions::modelFormat)
                .orElseGet(JsonNull::new);
    }

    private static JsonValue modelFormat(FormatRule seen) {
        return Json.object(
                "format", seen.format().display(),
                "param_count", unsigned(seen.parameters()),
                "dtype", seen.dtype(),
                "tensor_count", unsigned(seen.tensors()),
                "format_version", unsigned(seen.formatVersion()));
    }

    private static JsonValue unsigned(OptionalLong number) {
        return number.isPresent() ? new JsonNumber(Long.toUnsignedString(number.getAsLong())) : new JsonNull();
    }

    private static AcceleratorRegistry registry(JsonValue input) {
        return ReferenceDocument.read(Json.document(input, "registry"));
    }

    private static long parameters(JsonValue input) {
        return unsigned(input.require("params"));
    }

    private static long unsigned(JsonValue value) {
        return value instanceof JsonNumber(String text) ? Long.parseUnsignedLong(text) : Json.number(value);
    }

    private static QuantizationLevel level(JsonValue input) {
        return HardwareQuestions.pick(
                QuantizationLevel.values(), QuantizationLevel::referenceName, input.require("quant"));
    }
}
