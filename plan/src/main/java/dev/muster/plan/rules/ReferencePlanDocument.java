// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

import dev.muster.core.AcceleratorType;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.json.ReferenceDocument;
import dev.muster.core.unit.Bytes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/// Plans in ai-hwaccel's JSON form. Unknown keys are refused, as its reader does.
///
/// @since 0.1
public final class ReferencePlanDocument {
    private static final String SHARDS = "shards";
    private static final String STRATEGY = "strategy";
    private static final String TOTAL = "total_memory_bytes";
    private static final String RATE = "estimated_tokens_per_sec";
    private static final String ID = "shard_id";
    private static final String LAYERS = "layer_range";
    private static final String DEVICE = "device";
    private static final String MEMORY = "memory_bytes";
    private static final BigInteger UNSIGNED_LIMIT = BigInteger.ONE.shiftLeft(Long.SIZE);

    private ReferencePlanDocument() {}

    /// Returns the plan as a tree of JSON values.
    public static JsonValue toTree(ShardingPlan plan) {
        return JsonObject.builder()
                .put(
                        SHARDS,
                        plan.shards().stream()
                                .map(ReferencePlanDocument::toTree)
                                .toList())
                .put(STRATEGY, toTree(plan.strategy()))
                .put(TOTAL, bytes(plan.totalMemory()))
                .put(
                        RATE,
                        plan.tokensPerSecond().isPresent()
                                ? JsonNumber.of(plan.tokensPerSecond().getAsDouble())
                                : new JsonNull())
                .build();
    }

    private static JsonValue toTree(ShardingPlan.Shard shard) {
        return JsonObject.builder()
                .put(ID, shard.shardId())
                .put(LAYERS, List.of(JsonNumber.of(shard.firstLayer()), JsonNumber.of(shard.lastLayer())))
                .put(DEVICE, JsonValue.parse(ReferenceDocument.write(shard.device())))
                .put(MEMORY, bytes(shard.memory()))
                .build();
    }

    private static JsonValue toTree(ShardingStrategy strategy) {
        return switch (strategy.kind()) {
            case NONE -> new JsonString("None");
            case PIPELINE_PARALLEL -> tagged("PipelineParallel", "num_stages", strategy.devices());
            case TENSOR_PARALLEL -> tagged("TensorParallel", "num_devices", strategy.devices());
            case DATA_PARALLEL -> tagged("DataParallel", "num_replicas", strategy.devices());
        };
    }

    private static JsonValue tagged(String tag, String key, long count) {
        return JsonObject.builder()
                .put(tag, JsonObject.builder().put(key, count).build())
                .build();
    }

    private static JsonNumber bytes(Bytes amount) {
        return new JsonNumber(amount.toString());
    }

    /// Returns the plan on one line.
    public static String write(ShardingPlan plan) {
        return toTree(plan).toText();
    }

    /// Reads a plan.
    ///
    /// @throws dev.muster.core.json.DocumentException if the text is not JSON
    /// @throws IllegalArgumentException if it is JSON and no plan; the message says what is wrong
    public static ShardingPlan read(String text) {
        Map<String, JsonValue> plan = members(JsonValue.parse(text), "the plan", Set.of(SHARDS, STRATEGY, TOTAL, RATE));
        JsonValue rate = plan.getOrDefault(RATE, new JsonNull());
        List<ShardingPlan.Shard> shards = new ArrayList<>();
        for (JsonValue shard : items(require(plan, SHARDS), SHARDS)) {
            shards.add(readShard(shard));
        }
        return new ShardingPlan(
                shards,
                readStrategy(require(plan, STRATEGY)),
                readBytes(require(plan, TOTAL), TOTAL),
                rate instanceof JsonNumber number ? OptionalDouble.of(number.toDouble()) : noRate(rate));
    }

    private static OptionalDouble noRate(JsonValue value) {
        if (value instanceof JsonNull) {
            return OptionalDouble.empty();
        }
        throw wrong(RATE, "a number or null");
    }

    private static ShardingPlan.Shard readShard(JsonValue value) {
        Map<String, JsonValue> shard = members(value, "a shard", Set.of(ID, LAYERS, DEVICE, MEMORY));
        List<JsonValue> range = items(require(shard, LAYERS), LAYERS);
        if (range.size() != 2) {
            throw wrong(LAYERS, "two numbers");
        }
        return new ShardingPlan.Shard(
                count(require(shard, ID), ID),
                count(range.getFirst(), LAYERS),
                count(range.getLast(), LAYERS),
                ReferenceDocument.readType(require(shard, DEVICE).toText()),
                readBytes(require(shard, MEMORY), MEMORY));
    }

    private static ShardingStrategy readStrategy(JsonValue value) {
        if (value instanceof JsonString(String name) && name.equals("None")) {
            return ShardingStrategy.NONE;
        }
        Map<String, JsonValue> tag = value instanceof JsonObject(var members) ? members : Map.of();
        String name = tag.size() == 1 ? tag.keySet().iterator().next() : "";
        JsonValue fields = tag.getOrDefault(name, new JsonNull());
        return switch (name) {
            case "PipelineParallel" -> ShardingStrategy.pipelineParallel(field(fields, "num_stages"));
            case "TensorParallel" -> ShardingStrategy.tensorParallel(field(fields, "num_devices"));
            case "DataParallel" -> ShardingStrategy.dataParallel(field(fields, "num_replicas"));
            default -> throw wrong(STRATEGY, "None, PipelineParallel, TensorParallel or DataParallel");
        };
    }

    private static long field(JsonValue fields, String key) {
        return count(require(members(fields, STRATEGY, Set.of(key)), key), key);
    }

    private static Map<String, JsonValue> members(JsonValue value, String what, Set<String> known) {
        if (!(value instanceof JsonObject(Map<String, JsonValue> members))) {
            throw new IllegalArgumentException(what + " is not an object");
        }
        for (String key : members.keySet()) {
            if (!known.contains(key)) {
                throw new IllegalArgumentException(what + " has the unknown key '" + key + "'");
            }
        }
        return members;
    }

    private static JsonValue require(Map<String, JsonValue> members, String key) {
        JsonValue value = members.get(key);
        if (value == null) {
            throw new IllegalArgumentException("the key '" + key + "' is missing");
        }
        return value;
    }

    private static List<JsonValue> items(JsonValue value, String key) {
        if (value instanceof JsonArray(List<JsonValue> items)) {
            return items;
        }
        throw wrong(key, "an array");
    }

    private static long count(JsonValue value, String key) {
        long count = readBytes(value, key).unsigned();
        if (count < 0 || count > AcceleratorType.MAX_COUNT) {
            throw wrong(key, "a whole number up to 2^32-1");
        }
        return count;
    }

    private static Bytes readBytes(JsonValue value, String key) {
        if (value instanceof JsonNumber number && number.isWhole()) {
            BigInteger exact = new BigDecimal(number.text()).toBigInteger();
            if (exact.signum() >= 0 && exact.compareTo(UNSIGNED_LIMIT) < 0) {
                return new Bytes(exact.longValue());
            }
        }
        throw wrong(key, "a whole number up to 2^64-1");
    }

    private static IllegalArgumentException wrong(String key, String expected) {
        return new IllegalArgumentException("'" + key + "' is not " + expected);
    }
}
