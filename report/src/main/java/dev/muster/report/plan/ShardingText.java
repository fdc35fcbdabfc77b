// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.QuantizationLevel;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.text.FixedText;
import dev.muster.model.ModelSummary;
import dev.muster.plan.rules.ShardingPlan;
import dev.muster.plan.rules.ShardingStrategy.Kind;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.Table;
import java.util.Locale;

/// A plan by ai-hwaccel's rules.
///
/// @param model the model
/// @param level the bits of a weight
/// @param suggested true if the rules chose the level
/// @param plan the plan
/// @param fits true if the rules say that it fits
public record ShardingText(
        ModelSummary model, QuantizationLevel level, boolean suggested, ShardingPlan plan, boolean fits)
        implements Report {
    @Override
    public String text(Terminal terminal) {
        FactLines lines = FactLines.of(model, terminal);
        lines.add("quantization", level.display() + (suggested ? ", suggested by the rules" : ""));
        lines.add("strategy", strategy());
        lines.add("memory", Quantity.of(plan.totalMemory()) + " (weights and a fifth more)");
        plan.tokensPerSecond().ifPresent(rate -> lines.add("speed", speed(rate) + " by the rules; a rough figure"));
        lines.add("fits", fits ? "yes, by the rules" : "no");
        return lines + (plan.shards().isEmpty() ? "" : "\n" + shards(terminal));
    }

    /// Returns the speed, for slow models as the time of a token.
    private static String speed(double rate) {
        return rate >= 1
                ? FixedText.of(rate, rate < 10 ? 1 : 0) + " tokens/s"
                : FixedText.of(1 / rate, rate < 0.1 ? 0 : 1) + " s a token";
    }

    private String strategy() {
        long devices = plan.strategy().devices();
        return switch (plan.strategy().kind()) {
            case NONE -> "not split";
            case PIPELINE_PARALLEL -> "layers divided among " + devices + " stages";
            case TENSOR_PARALLEL -> "every layer split over " + devices + " devices";
            case DATA_PARALLEL -> devices == 0 ? "no device to run on" : devices + " replicas";
        };
    }

    private String shards(Terminal terminal) {
        return new Table<ShardingPlan.Shard>(terminal)
                .right("SHARD", ShardingPlan.Shard::shardId)
                .flexible("DEVICE", 0, shard -> shard.device().display())
                .left("LAYERS", 2, this::layers)
                .right("MEMORY", 1, ShardingPlan.Shard::memory)
                .render(plan.shards());
    }

    /// Returns the layers of a piece; the rules write the range 0 to 0 for all layers.
    private String layers(ShardingPlan.Shard shard) {
        return plan.strategy().kind() == Kind.PIPELINE_PARALLEL ? shard.firstLayer() + "-" + shard.lastLayer() : "all";
    }

    @Override
    public JsonValue json() {
        JsonObject.ObjectBuilder object = JsonObject.document("plan")
                .put("method", "rules")
                .put("model", model.name())
                .put("parameters", model.parameters().find(), JsonNumber::of)
                .put("quantization", level.text())
                .put("quantizationSuggested", suggested)
                .put("strategy", name())
                .put("totalMemoryBytes", Quantity.json(plan.totalMemory()));
        plan.tokensPerSecond().ifPresent(rate -> object.put("tokensPerSecond", rate));
        return object.put("fits", fits).put("shards", plan.shards(), this::json).build();
    }

    private JsonValue json(ShardingPlan.Shard shard) {
        JsonObject.ObjectBuilder one =
                JsonObject.builder().put("shard", shard.shardId()).put("device", device(shard));
        if (plan.strategy().kind() == Kind.PIPELINE_PARALLEL) {
            one.put("firstLayer", shard.firstLayer()).put("lastLayer", shard.lastLayer());
        }
        return one.put("memoryBytes", Quantity.json(shard.memory())).build();
    }

    private static String device(ShardingPlan.Shard shard) {
        return shard.device().text() + ":" + shard.device().deviceId();
    }

    private String name() {
        return plan.strategy().kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
