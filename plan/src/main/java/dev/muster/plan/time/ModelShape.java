// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.model.LayerKind;
import dev.muster.model.LayerKind.Block;
import dev.muster.model.LayerKind.Mixer;
import dev.muster.model.LayerKinds;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.ModelLayer;
import dev.muster.model.memory.KvCache;
import dev.muster.model.tensor.ModelFamily;
import java.util.List;
import java.util.Optional;

/// The dimensions of a model that determine time and memory. All lengths are numbers, not bytes.
///
/// @param layers transformer blocks
/// @param hidden width of the residual stream
/// @param heads query heads
/// @param kvHeads key and value heads
/// @param keySize width of a head's keys
/// @param valueSize width of a head's values
/// @param vocabulary rows of the embedding
/// @param feedForward inner width of a dense block
/// @param matrices matrices of a feed-forward block: 3 with a gate, 2 without
/// @param expertLayers layers with routed experts
/// @param experts routed experts of such a layer
/// @param activeExperts experts that each token uses
/// @param expertSize inner width of one
/// @param latentSize numbers of a compressed KV cache of a layer and token; else 0
/// @param latentRank the part of it that values are made from
/// @param fullLayers layers that attend to all tokens
/// @param localLayers layers that attend to a window
/// @param window tokens of that window
/// @param sparseLayers layers whose indexer chooses tokens
/// @param stateLayers layers that keep a state instead of a KV cache
/// @param layerState bytes of the state that one of them keeps of a sequence
/// @param cache KV cache of the layers, in numbers
/// @param pairs pairs of attention and feed-forward block: as many as layers, if each layer is one
public record ModelShape(
        double layers,
        double hidden,
        double heads,
        double kvHeads,
        double keySize,
        double valueSize,
        double vocabulary,
        double feedForward,
        int matrices,
        double expertLayers,
        double experts,
        double activeExperts,
        double expertSize,
        double latentSize,
        double latentRank,
        double fullLayers,
        double localLayers,
        double window,
        double sparseLayers,
        double stateLayers,
        double layerState,
        KvCache cache,
        double pairs) {
    private static final int GATED = 3;
    private static final int UNGATED = 2;

    /// Returns the shape of an architecture; empty if it lacks a number.
    public static Optional<ModelShape> of(ModelArchitecture architecture) {
        return isComplete(architecture) ? Optional.of(shape(architecture)) : Optional.empty();
    }

    private static boolean isComplete(ModelArchitecture architecture) {
        return architecture.find(ModelDimension.LAYERS).isPresent()
                && architecture.find(ModelDimension.LAYERS).getAsLong() <= LayerKinds.MAX_LAYERS
                && architecture.find(ModelDimension.HIDDEN_SIZE).isPresent()
                && architecture.find(ModelDimension.HEADS).isPresent()
                && architecture.find(ModelDimension.VOCABULARY).isPresent();
    }

    private static ModelShape shape(ModelArchitecture architecture) {
        double layers = get(architecture, ModelDimension.LAYERS);
        double hidden = get(architecture, ModelDimension.HIDDEN_SIZE);
        double heads = get(architecture, ModelDimension.HEADS);
        double headSize = orElse(architecture, ModelDimension.HEAD_SIZE, hidden / heads);
        boolean latent = architecture.hasLatentAttention();
        double rope = get(architecture, ModelDimension.ROPE_HEAD_SIZE);
        double window = get(architecture, ModelDimension.SLIDING_WINDOW);
        LayerKinds kinds = LayerKinds.of(architecture);
        double kvHeads = latent ? heads : orElse(architecture, ModelDimension.KV_HEADS, heads);
        double valueSize = orElse(architecture, ModelDimension.VALUE_HEAD_SIZE, headSize);
        return new ModelShape(
                layers,
                hidden,
                heads,
                kvHeads,
                latent ? get(architecture, ModelDimension.PLAIN_HEAD_SIZE) + rope : headSize,
                valueSize,
                get(architecture, ModelDimension.VOCABULARY),
                get(architecture, ModelDimension.FEED_FORWARD_SIZE),
                isGated(architecture) ? GATED : UNGATED,
                kinds.count(Block.EXPERTS),
                get(architecture, ModelDimension.EXPERTS),
                get(architecture, ModelDimension.ACTIVE_EXPERTS),
                get(architecture, ModelDimension.EXPERT_FEED_FORWARD_SIZE),
                latent ? get(architecture, ModelDimension.KV_RANK) + rope : 0,
                latent ? get(architecture, ModelDimension.KV_RANK) : 0,
                kinds.count(layer -> layer.mixer().looksAtAll()),
                kinds.count(layer -> layer.mixer().isBounded()),
                window,
                kinds.count(layer -> layer.mixer() == Mixer.SPARSE_ATTENTION),
                kinds.count(layer -> layer.mixer().keepsState()),
                KvCache.stateBytes(architecture),
                KvCache.ofLayers(architecture, architecture.layers(), (long) (kvHeads * (headSize + valueSize))),
                pairs(kinds.layers()));
    }

    private static boolean isGated(ModelArchitecture architecture) {
        return architecture
                .family()
                .find()
                .flatMap(ModelFamily::find)
                .map(family -> family.has("mlp.gate"))
                .orElse(true);
    }

    private static double pairs(List<LayerKind> layers) {
        return layers.stream().mapToInt(LayerKind::parts).sum() / 2.0;
    }

    private static double get(ModelArchitecture architecture, ModelDimension dimension) {
        return architecture.find(dimension).orElse(0);
    }

    private static double orElse(ModelArchitecture architecture, ModelDimension dimension, double other) {
        return architecture.find(dimension).isPresent() ? get(architecture, dimension) : other;
    }

    /// Returns the shape of some layers of this model.
    ///
    /// @param architecture the model's architecture
    public ModelShape part(ModelArchitecture architecture, List<ModelLayer> layersOfPart) {
        List<LayerKind> some = layersOfPart.stream().map(ModelLayer::kind).toList();
        LayerKinds kinds = new LayerKinds(some);
        return new ModelShape(
                some.size(),
                hidden,
                heads,
                kvHeads,
                keySize,
                valueSize,
                vocabulary,
                feedForward,
                matrices,
                kinds.count(Block.EXPERTS),
                experts,
                activeExperts,
                expertSize,
                latentSize,
                latentRank,
                kinds.count(layer -> layer.mixer().looksAtAll()),
                kinds.count(layer -> layer.mixer().isBounded()),
                window,
                kinds.count(layer -> layer.mixer() == Mixer.SPARSE_ATTENTION),
                kinds.count(layer -> layer.mixer().keepsState()),
                layerState,
                KvCache.ofLayers(architecture, layersOfPart, (long) (kvHeads * (keySize + valueSize))),
                pairs(some));
    }

    /// Reports whether the KV cache is kept compressed.
    public boolean isLatent() {
        return latentSize > 0;
    }

    /// Returns the share of routed experts that some rows use.
    public double touchedExperts(double rows) {
        return expertLayers == 0 ? 0 : 1 - Math.pow(1 - activeExperts / experts, rows);
    }

    /// Returns the token-layers of KV cache that a sequence of a number of tokens keeps.
    public double keptTokens(double tokens) {
        return cache.keptTokens(tokens);
    }

    /// Returns the numbers of KV cache that a sequence of a number of tokens keeps.
    public double keptNumbers(double tokens) {
        return cache.keptNumbers(tokens);
    }

    /// Returns the bytes of all states of a sequence of any length.
    public double stateBytes() {
        return stateLayers * layerState;
    }

    /// Returns the bytes that a sequence of a number of tokens keeps: KV cache, and states.
    ///
    /// @param kvBytes bytes of one key or value
    public double sequenceBytes(double tokens, double kvBytes) {
        return keptNumbers(tokens) * kvBytes + stateBytes();
    }

    /// Returns the pairs of query and key, over all layers, of `more` tokens behind `before`; each attends to those
    /// before it.
    public double attentionPairs(double before, double more) {
        double full = more * (before + more / 2);
        return fullLayers * full + localLayers * localPairs(before, more);
    }

    private double localPairs(double before, double more) {
        double growing = Math.max(0, Math.min(more, window - before));
        return growing * (before + growing / 2) + (more - growing) * window;
    }
}
