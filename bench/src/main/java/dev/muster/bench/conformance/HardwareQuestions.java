// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.conformance;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorRequirement;
import dev.muster.core.AcceleratorType;
import dev.muster.core.Gap;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.Interconnect;
import dev.muster.core.NeuronChip;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.StorageDevice;
import dev.muster.core.TpuVersion;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.json.ReferenceDocument;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelFormat;
import dev.muster.plan.rules.ShardingPlan;
import dev.muster.plan.rules.ShardingStrategy;
import dev.muster.plan.training.TrainingMethod;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/// Questions about accelerator types, constants and single profiles.
final class HardwareQuestions {
    private HardwareQuestions() {}

    static JsonValue accelerator(JsonValue input) {
        AcceleratorType type = ReferenceDocument.readType(Json.document(input, "accelerator"));
        AcceleratorFamily family = type.family();
        return Json.object(
                "display", type.display(),
                "family", family.referenceName(),
                "family_display", family.display(),
                "is_gpu", family == AcceleratorFamily.GPU,
                "is_npu", family == AcceleratorFamily.NPU,
                "is_tpu", family == AcceleratorFamily.TPU,
                "is_ai_asic", family == AcceleratorFamily.AI_ASIC,
                "json", JsonValue.parse(ReferenceDocument.write(type)),
                "rank", type.rank(),
                "throughput_multiplier", type.throughputMultiplier(),
                "training_multiplier", type.trainingMultiplier(),
                "supports_training", type.supportsTraining(),
                "supported_quantizations",
                        type.supportedQuantizations().stream()
                                .map(QuantizationLevel::referenceName)
                                .toList(),
                "preferred_quantization", type.preferredQuantization().referenceName());
    }

    static JsonValue profile(JsonValue input) {
        AcceleratorProfile profile = ReferenceDocument.readProfile(Json.document(input, "profile"));
        return Json.object(
                "json", JsonValue.parse(ReferenceDocument.write(profile)),
                "display", profile.display());
    }

    static JsonValue constant(JsonValue input) {
        String name = input.requireText("name");
        return switch (name) {
            case "tpu_profile" ->
                json(AcceleratorProfile.tpu(
                        Json.number(input, "device_id"),
                        Json.number(input, "chip_count"),
                        pick(TpuVersion.values(), TpuVersion::referenceName, input.require("version"))));
            case "gaudi_profile" ->
                json(AcceleratorProfile.gaudi(
                        Json.number(input, "device_id"),
                        pick(GaudiGeneration.values(), GaudiGeneration::display, input.require("generation"))));
            case "schema_version" -> JsonNumber.of(AcceleratorRegistry.REFERENCE_SCHEMA);
            default -> valueConstant(name, input.require("value"));
        };
    }

    private static JsonValue valueConstant(String name, JsonValue value) {
        return switch (name) {
            case "tpu" -> {
                TpuVersion version = pick(TpuVersion.values(), TpuVersion::referenceName, value);
                yield Json.object("display", version.display(), "hbm_per_chip_bytes", version.memoryPerChip());
            }
            case "gaudi" -> {
                GaudiGeneration generation = pick(GaudiGeneration.values(), GaudiGeneration::display, value);
                yield Json.object("display", generation.display(), "hbm_bytes", generation.memory());
            }
            case "neuron" -> {
                NeuronChip chip = pick(NeuronChip.values(), NeuronChip::display, value);
                yield Json.object("display", chip.display(), "hbm_per_core_bytes", chip.memoryPerCore());
            }
            case "quantization" -> {
                QuantizationLevel level = pick(QuantizationLevel.values(), QuantizationLevel::referenceName, value);
                yield Json.object(
                        "display", level.display(),
                        "bits_per_param", level.bitsPerParameter(),
                        "memory_reduction_factor", level.memoryReductionFactor());
            }
            case "quantization_from_bits" -> quantizationOfBits(Json.number(value));
            case "interconnect_kind" ->
                display(pick(
                                Interconnect.InterconnectKind.values(),
                                Interconnect.InterconnectKind::referenceName,
                                value)
                        .display());
            case "storage_kind" ->
                display(pick(StorageDevice.StorageKind.values(), StorageDevice.StorageKind::referenceName, value)
                        .display());
            case "model_format" ->
                display(pick(ModelFormat.values(), ModelFormat::display, value).display());
            case "training_method" -> trainingMethod(value);
            case "requirement" -> {
                AcceleratorRequirement requirement = ReferenceDocument.readRequirement(value.toText());
                yield Json.object(
                        "display",
                        requirement.display(),
                        "json",
                        JsonValue.parse(ReferenceDocument.write(requirement)));
            }
            case "strategy" -> {
                ShardingStrategy strategy = strategy(value);
                yield Json.object("display", strategy.display(), "json", value, "min_devices", strategy.minDevices());
            }
            case "shard" -> shard(value);
            case "error" -> {
                Gap gap = ReferenceDocument.readGap(value.toText());
                yield Json.object("display", gap.display(), "json", JsonValue.parse(ReferenceDocument.write(gap)));
            }
            default -> throw new IllegalArgumentException("no constant is called '" + name + "'");
        };
    }

    private static JsonValue quantizationOfBits(long bits) {
        try {
            return Json.object("ok", QuantizationLevel.ofBits(bits).referenceName());
        } catch (IllegalArgumentException _) {
            return Json.object("err", bits);
        }
    }

    private static JsonValue trainingMethod(JsonValue value) {
        TrainingMethod method = method(value);
        AcceleratorRequirement preferred = method.preferredAccelerator();
        return Json.object(
                "display",
                method.display(),
                "preferred_accelerator",
                JsonValue.parse(ReferenceDocument.write(preferred)));
    }

    static TrainingMethod method(JsonValue value) {
        return value instanceof JsonString
                ? pick(TrainingMethod.Simple.values(), TrainingMethod.Simple::referenceName, value)
                : new TrainingMethod.QLora((int) Json.number(value.require("QLoRA"), "bits"));
    }

    private static ShardingStrategy strategy(JsonValue value) {
        if (value.equals(new JsonString("None"))) {
            return ShardingStrategy.NONE;
        }
        return value.find("PipelineParallel")
                .map(v -> ShardingStrategy.pipelineParallel(Json.number(v, "num_stages")))
                .or(() -> value.find("TensorParallel")
                        .map(v -> ShardingStrategy.tensorParallel(Json.number(v, "num_devices"))))
                .or(() -> value.find("DataParallel")
                        .map(v -> ShardingStrategy.dataParallel(Json.number(v, "num_replicas"))))
                .orElseThrow(() -> new IllegalArgumentException("no strategy: " + value.toText()));
    }

    private static JsonValue shard(JsonValue value) {
        List<JsonValue> range = value.requireItems("layer_range");
        ShardingPlan.Shard shard = new ShardingPlan.Shard(
                Json.number(value, "shard_id"),
                Json.number(range.get(0)),
                Json.number(range.get(1)),
                ReferenceDocument.readType(Json.document(value, "device")),
                Bytes.of(Json.number(value, "memory_bytes")));
        return Json.object("is_valid", shard.isValid(), "num_layers", shard.layerCount());
    }

    private static JsonValue display(String text) {
        return Json.object("display", text);
    }

    private static JsonValue json(AcceleratorProfile profile) {
        return JsonValue.parse(ReferenceDocument.write(profile));
    }

    static <E> E pick(E[] values, Function<E, String> name, JsonValue wanted) {
        return Arrays.stream(values)
                .filter(value -> name.apply(value).equals(Json.text(wanted)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nothing is called " + wanted.toText()));
    }
}
