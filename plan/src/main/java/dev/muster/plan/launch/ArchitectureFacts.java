// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.model.LayerKind;
import dev.muster.model.LayerKinds;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/// The launch facts of a model's architecture. Facts of a family that a configuration leaves out, such as its
/// activation, are data.
final class ArchitectureFacts {
    private static final Map<LaunchFact, ModelDimension> DIMENSIONS = new EnumMap<>(Map.ofEntries(
            Map.entry(LaunchFact.ACTIVE_EXPERTS, ModelDimension.ACTIVE_EXPERTS),
            Map.entry(LaunchFact.LAYERS, ModelDimension.LAYERS),
            Map.entry(LaunchFact.HIDDEN, ModelDimension.HIDDEN_SIZE),
            Map.entry(LaunchFact.HEADS, ModelDimension.HEADS),
            Map.entry(LaunchFact.HEAD_SIZE, ModelDimension.HEAD_SIZE),
            Map.entry(LaunchFact.FEED_FORWARD, ModelDimension.FEED_FORWARD_SIZE),
            Map.entry(LaunchFact.EXPERT_SIZE, ModelDimension.EXPERT_FEED_FORWARD_SIZE),
            Map.entry(LaunchFact.SHARED_SIZE, ModelDimension.SHARED_FEED_FORWARD_SIZE),
            Map.entry(LaunchFact.QUERY_RANK, ModelDimension.QUERY_RANK),
            Map.entry(LaunchFact.PLAIN_HEAD_SIZE, ModelDimension.PLAIN_HEAD_SIZE),
            Map.entry(LaunchFact.ROPE_HEAD_SIZE, ModelDimension.ROPE_HEAD_SIZE),
            Map.entry(LaunchFact.VALUE_HEAD_SIZE, ModelDimension.VALUE_HEAD_SIZE),
            Map.entry(LaunchFact.STATE_HEADS, ModelDimension.STATE_HEADS),
            Map.entry(LaunchFact.STATE_GROUPS, ModelDimension.STATE_GROUPS),
            Map.entry(LaunchFact.STATE_KEY_SIZE, ModelDimension.STATE_KEY_SIZE),
            Map.entry(LaunchFact.STATE_VALUE_SIZE, ModelDimension.STATE_VALUE_SIZE)));
    /// Columns of `architectures.csv`.
    private static final Map<LaunchFact, String> OF_FAMILY = new EnumMap<>(Map.of(
            LaunchFact.ACTIVATION, "activation",
            LaunchFact.NORMALIZATION, "normalization",
            LaunchFact.LINEAR_BIAS, "linear_bias",
            LaunchFact.QKV_BIAS, "qkv_bias",
            LaunchFact.QK_NORM, "qk_norm",
            LaunchFact.POSITIONS, "positions",
            LaunchFact.ROUTER, "router",
            LaunchFact.PRE_SOFTMAX, "pre_softmax"));
    /// Columns of `published-settings.csv`.
    private static final Map<LaunchFact, String> OF_MODEL = new EnumMap<>(Map.of(
            LaunchFact.ROPE_BASE, "rope_base",
            LaunchFact.ROPE_SCALING, "rope_scaling",
            LaunchFact.YARN_SCALING, "yarn_scaling",
            LaunchFact.MSCALE, "mscale",
            LaunchFact.ROUTER_GROUPS, "router_groups",
            LaunchFact.CHOSEN_GROUPS, "chosen_groups",
            LaunchFact.ROUTER_SCALING, "router_scaling"));

    private ArchitectureFacts() {}

    static LaunchFacts add(LaunchFacts known, ModelArchitecture architecture) {
        LaunchFacts facts = known.with(
                LaunchFact.EXPERTS, architecture.find(ModelDimension.EXPERTS).orElse(0));
        for (Map.Entry<LaunchFact, ModelDimension> one : DIMENSIONS.entrySet()) {
            facts = facts.withKnown(one.getKey(), architecture.find(one.getValue()));
        }
        facts = architecture.hasLatentAttention()
                ? facts.withKnown(LaunchFact.KV_RANK, architecture.find(ModelDimension.KV_RANK))
                : facts.withKnown(LaunchFact.KV_HEADS, architecture.find(ModelDimension.KV_HEADS));
        OptionalLong layers = architecture.find(ModelDimension.LAYERS);
        return layers.isPresent() ? facts.with(LaunchFact.OFFLOADED_LAYERS, layers.getAsLong() + 1) : facts;
    }

    /// Adds the facts for training a model from its options: those of its family, and its layers.
    ///
    /// @param name the model's name in the catalogue
    /// @param pieces layers of each stage, or of each virtual stage
    static LaunchFacts addParts(LaunchFacts known, ModelArchitecture architecture, String name, List<Integer> pieces) {
        LaunchFacts facts = known;
        String family = architecture.family().find().orElse("").toLowerCase(Locale.ROOT);
        List<LayerKind> layers = LayerKinds.of(architecture).layers();
        facts = facts.with(
                LaunchFact.STATE_LAYERS,
                layers.stream()
                        .filter(layer -> layer.mixer() == LayerKind.Mixer.STATE)
                        .count());
        for (CsvRow row : table("architectures.csv")) {
            if (row.require("family").equals(family)) {
                facts = withColumns(facts, row, OF_FAMILY);
                if (row.orEmpty("states").equals("mamba")
                        && architecture.layerPattern().isKnown()) {
                    facts = facts.withScript(
                            LaunchFact.HYBRID_PATTERN,
                            cut(architecture.layerPattern().find().orElseThrow(), pieces));
                }
            }
        }
        if (architecture.tiedEmbeddings().isKnown()) {
            facts = facts.with(
                    LaunchFact.TIED, architecture.tiedEmbeddings().find().orElseThrow() ? 1 : 0);
        }
        return withExpertLayers(withSettings(facts, name), layers);
    }

    private static LaunchFacts withSettings(LaunchFacts known, String name) {
        LaunchFacts facts = known;
        for (CsvRow row : table("published-settings.csv")) {
            String model = row.require("model");
            if (model.equals(name) || (model.endsWith("-") && name.startsWith(model))) {
                facts = withColumns(facts, row, OF_MODEL);
            }
        }
        return facts;
    }

    private static LaunchFacts withColumns(LaunchFacts known, CsvRow row, Map<LaunchFact, String> columns) {
        LaunchFacts facts = known;
        for (Map.Entry<LaunchFact, String> one : columns.entrySet()) {
            facts = row.orEmpty(one.getValue()).isEmpty()
                    ? facts
                    : facts.with(one.getKey(), row.require(one.getValue()));
        }
        return facts;
    }

    /// Adds the list of layers with experts, such as `([0]*3+[1]*58)`.
    private static LaunchFacts withExpertLayers(LaunchFacts facts, List<LayerKind> layers) {
        StringBuilder runs = new StringBuilder();
        int dense = 0;
        int at = 0;
        while (at < layers.size()) {
            boolean hasExperts = layers.get(at).block() == LayerKind.Block.EXPERTS;
            int same = 1;
            while (at + same < layers.size()
                    && (layers.get(at + same).block() == LayerKind.Block.EXPERTS) == hasExperts) {
                same++;
            }
            runs.append(runs.isEmpty() ? "(" : "+")
                    .append(hasExperts ? "[1]*" : "[0]*")
                    .append(same);
            dense += hasExperts ? 0 : same;
            at += same;
        }
        boolean isMixed = dense > 0 && dense < layers.size();
        boolean isHybrid = facts.find(LaunchFact.HYBRID_PATTERN).isPresent();
        return isMixed && !isHybrid
                ? facts.with(LaunchFact.EXPERT_LAYERS, runs.append(')').toString())
                : facts;
    }

    /// Returns the letters with a bar between pieces.
    private static String cut(String pattern, List<Integer> pieces) {
        StringBuilder text = new StringBuilder();
        int at = 0;
        for (int layers : pieces) {
            text.append(text.isEmpty() ? "" : "|").append(pattern, at, at + layers);
            at += layers;
        }
        return text.toString();
    }

    private static List<CsvRow> table(String name) {
        return CsvTable.parse(LaunchTemplate.resource(name)).rows();
    }
}
