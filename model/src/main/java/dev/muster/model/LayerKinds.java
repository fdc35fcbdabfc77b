// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

import dev.muster.model.LayerKind.Block;
import dev.muster.model.LayerKind.Mixer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// The layers of an architecture, each with its kind. Immutable.
///
/// @param layers the layers from the first to the last; empty if their number is unknown
/// @since 0.1
public record LayerKinds(List<LayerKind> layers) {
    /// Far more layers than any published model has.
    public static final long MAX_LAYERS = 100_000;

    public LayerKinds {
        layers = List.copyOf(layers);
    }

    /// Returns the layers that an architecture states.
    public static LayerKinds of(ModelArchitecture architecture) {
        List<LayerKind> kinds = new ArrayList<>();
        for (ModelLayer layer : architecture.layers()) {
            kinds.add(layer.kind());
        }
        return new LayerKinds(kinds);
    }

    /// Returns the layers of an architecture that does not list them, from its pattern if it has one, else from its
    /// steps.
    static List<ModelLayer> derive(ModelArchitecture architecture) {
        long count = architecture.find(ModelDimension.LAYERS).orElse(0);
        List<ModelLayer> layers = new ArrayList<>();
        String pattern = architecture.layerPattern().find().orElse("");
        if (pattern.length() == count) {
            for (int layer = 0; layer < count; layer++) {
                layers.add(ModelLayer.of(LayerKind.ofLetter(pattern.charAt(layer))));
            }
        } else if (count <= MAX_LAYERS) {
            long keeping =
                    count - architecture.find(ModelDimension.SHARED_KV_LAYERS).orElse(0);
            for (long layer = 0; layer < count; layer++) {
                Mixer mixer = mixer(architecture, layer);
                Block block = block(architecture, layer);
                ModelLayer last = layers.isEmpty() ? null : layers.getLast();
                boolean isLikeLast = last != null
                        && last.kind().mixer() == mixer
                        && last.kind().block() == block
                        && layer != keeping;
                layers.add(
                        isLikeLast
                                ? last
                                : new ModelLayer(
                                        new LayerKind(mixer, block), own(architecture, mixer, layer >= keeping)));
            }
        }
        return List.copyOf(layers);
    }

    /// Returns the numbers of layers of their own, if those that attend to all tokens differ from the others.
    private static Map<ModelDimension, Long> own(ModelArchitecture architecture, Mixer mixer, boolean shares) {
        Map<ModelDimension, Long> own = new EnumMap<>(ModelDimension.class);
        if (shares) {
            own.put(ModelDimension.SHARED_KV_LAYERS, 0L);
        }
        if (mixer.looksAtAll()) {
            put(own, ModelDimension.KV_HEADS, architecture, ModelDimension.FULL_KV_HEADS);
            put(own, ModelDimension.HEAD_SIZE, architecture, ModelDimension.FULL_HEAD_SIZE);
        } else if (mixer.isBounded()) {
            put(own, ModelDimension.HEADS, architecture, ModelDimension.LOCAL_HEADS);
        }
        return own;
    }

    private static void put(
            Map<ModelDimension, Long> own, ModelDimension to, ModelArchitecture architecture, ModelDimension from) {
        architecture.find(from).ifPresent(value -> own.put(to, value));
    }

    /// Reports whether a text has one letter for each of some layers: M, *, E or -.
    public static boolean isPattern(String letters) {
        for (int at = 0; at < letters.length(); at++) {
            if ("ME*-".indexOf(letters.charAt(at)) < 0) {
                return false;
            }
        }
        return !letters.isEmpty();
    }

    /// Returns the mixer of a layer. The others look at a window where there is one, and keep a state where there is
    /// none.
    private static Mixer mixer(ModelArchitecture architecture, long layer) {
        boolean hasWindow = architecture.find(ModelDimension.SLIDING_WINDOW).orElse(0) > 0;
        long step = architecture.find(ModelDimension.FULL_ATTENTION_STEP).orElse(hasWindow ? 0 : 1);
        if (step > 0 && (layer + 1) % step == 0) {
            return full(architecture);
        }
        return hasWindow ? Mixer.LOCAL_ATTENTION : Mixer.STATE;
    }

    /// Returns the mixer of layers that look at all tokens.
    private static Mixer full(ModelArchitecture architecture) {
        if (architecture.find(ModelDimension.INDEXER_HEAD_SIZE).orElse(0) > 0) {
            return Mixer.SPARSE_ATTENTION;
        }
        return architecture.hasLatentAttention() ? Mixer.LATENT_ATTENTION : Mixer.FULL_ATTENTION;
    }

    private static Block block(ModelArchitecture architecture, long layer) {
        long step =
                Math.max(1, architecture.find(ModelDimension.EXPERT_LAYER_STEP).orElse(1));
        boolean isDense = layer < architecture.find(ModelDimension.DENSE_LAYERS).orElse(0);
        return architecture.hasExperts() && !isDense && (layer + 1) % step == 0 ? Block.EXPERTS : Block.DENSE;
    }

    /// Returns the number of layers that match a condition.
    public long count(Predicate<LayerKind> wanted) {
        long count = 0;
        for (LayerKind layer : layers) {
            count += wanted.test(layer) ? 1 : 0;
        }
        return count;
    }

    /// Returns the number of layers with a mixer.
    public long count(Mixer mixer) {
        return count(layer -> layer.mixer() == mixer);
    }

    /// Returns the number of layers with a block.
    public long count(Block block) {
        return count(layer -> layer.block() == block);
    }
}
