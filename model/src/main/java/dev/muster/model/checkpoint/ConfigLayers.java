// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.model.LayerKind;
import dev.muster.model.LayerKind.Block;
import dev.muster.model.LayerKind.Mixer;
import dev.muster.model.LayerKinds;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.ModelLayer;
import dev.muster.model.table.CsvRow;
import dev.muster.model.tensor.FamilyLayers;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The layers of a configuration: listed by words, by letters or by parts, or else as its family derives them. What
/// is not understood is said. Confined to one thread.
final class ConfigLayers {
    private static final List<String> WORD_LISTS = List.of("layer_types", "layers_block_type");

    private final JsonObject text;
    private final ModelArchitecture.ArchitectureBuilder builder;
    private final ModelArchitecture architecture;
    private final @Nullable FamilyLayers family;
    private final int count;
    private final List<Map<ModelDimension, Long>> own = new ArrayList<>();

    private ConfigLayers(
            JsonObject text,
            ModelArchitecture.ArchitectureBuilder builder,
            ModelArchitecture architecture,
            @Nullable FamilyLayers family) {
        this.text = text;
        this.builder = builder;
        this.architecture = architecture;
        this.family = family;
        this.count = (int) architecture.find(ModelDimension.LAYERS).orElse(0);
        for (int layer = 0; layer < count; layer++) {
            own.add(new EnumMap<>(ModelDimension.class));
        }
    }

    /// Adds the layers to a builder.
    ///
    /// @param family the family's layers; null if the family is unknown
    static void addTo(
            ModelArchitecture.ArchitectureBuilder builder,
            JsonObject text,
            @Nullable FamilyLayers family,
            Map<ModelDimension, List<Long>> perLayer) {
        if (builder.find(ModelDimension.LAYERS).orElse(0) > LayerKinds.MAX_LAYERS) {
            builder.doubt("there are more than " + LayerKinds.MAX_LAYERS + " layers");
            return;
        }
        new ConfigLayers(text, builder, builder.build(), family).read(perLayer);
    }

    private void read(Map<ModelDimension, List<Long>> perLayer) {
        perLayer.forEach(this::readNumbers);
        List<LayerKind> kinds = blocks().or(this::letters).or(this::words).orElseGet(this::derived);
        List<ModelLayer> layers = new ArrayList<>();
        boolean hasWindow = false;
        for (int layer = 0; layer < kinds.size(); layer++) {
            LayerKind kind = kinds.get(layer);
            layers.add(
                    family == null ? new ModelLayer(kind, own.get(layer)) : family.layer(layer, kind, own.get(layer)));
            hasWindow |= kind.mixer().isBounded();
        }
        builder.layers(layers);
        if (family != null && !family.missing().isEmpty()) {
            builder.doubt("the kinds of its layers follow from '" + family.missing() + "', which is not stated");
        }
        if (!hasWindow && !keepsWindow(layers)) {
            builder.without(ModelDimension.SLIDING_WINDOW);
        }
    }

    /// Reports whether layers of compressed attention also keep the last tokens as they are.
    private static boolean keepsWindow(List<ModelLayer> layers) {
        for (ModelLayer layer : layers) {
            if (layer.own().containsKey(ModelDimension.KV_COMPRESSION)) {
                return true;
            }
        }
        return layers.isEmpty();
    }

    private void readNumbers(ModelDimension dimension, List<Long> values) {
        if (values.size() != count) {
            builder.doubt(dimension.label() + " is a list of " + values.size() + " for " + count + " layers");
            return;
        }
        for (int layer = 0; layer < count; layer++) {
            own.get(layer).put(dimension, values.get(layer));
        }
    }

    /// Returns one word for each layer; a shorter list that divides them evenly repeats.
    private Optional<List<LayerKind>> words() {
        for (String key : WORD_LISTS) {
            if (text.members().get(key) instanceof JsonArray(List<JsonValue> items) && !items.isEmpty()) {
                int length = items.size();
                boolean fits = length >= count ? length - count <= predicted() : count % length == 0;
                if (!fits) {
                    builder.doubt(key + " has " + length + " entries for " + count + " layers");
                    return Optional.empty();
                }
                return kinds(key, items);
            }
        }
        return Optional.empty();
    }

    /// Returns the number of layers that predict further tokens, which some lists have at their end.
    private long predicted() {
        return text.members().get("num_nextn_predict_layers") instanceof JsonNumber number && number.isWhole()
                ? Math.max(0, Long.parseLong(number.text()))
                : 0;
    }

    private Optional<List<LayerKind>> kinds(String key, List<JsonValue> items) {
        boolean single = items.contains(new JsonString("moe")) || items.contains(new JsonString("mlp"));
        List<LayerKind> kinds = new ArrayList<>();
        for (int layer = 0; layer < count; layer++) {
            JsonValue item = items.get(layer % items.size());
            String word = item instanceof JsonString(String said) ? said : "";
            LayerKind kind = switch (word) {
                case "moe" -> new LayerKind(Mixer.NONE, Block.EXPERTS);
                case "mlp" -> new LayerKind(Mixer.NONE, Block.DENSE);
                default -> {
                    Optional<Mixer> mixer = mixer(word, layer);
                    if (mixer.isEmpty()) {
                        builder.doubt(
                                "the kind of layer '" + CsvRow.shown(word) + "' in " + key + " is not understood");
                        yield new LayerKind(Mixer.NONE, Block.NONE);
                    }
                    yield new LayerKind(mixer.get(), single ? Block.NONE : block(layer, mixer.get()));
                }
            };
            kinds.add(kind);
        }
        return Optional.of(kinds);
    }

    private Optional<Mixer> mixer(String word, int layer) {
        return switch (word) {
            case "full_attention", "attention", "global_attention", "full", "global" ->
                Optional.of(architecture.hasLatentAttention() ? Mixer.LATENT_ATTENTION : Mixer.FULL_ATTENTION);
            case "sliding_attention", "local_attention", "sliding", "local" -> Optional.of(Mixer.LOCAL_ATTENTION);
            case "chunked_attention" -> Optional.of(Mixer.CHUNKED_ATTENTION);
            case "deepseek_sparse_attention", "minimax_m3_sparse" -> Optional.of(Mixer.SPARSE_ATTENTION);
            case "compressed_sparse_attention" -> {
                own.get(layer).put(ModelDimension.KV_COMPRESSION, 4L);
                yield Optional.of(Mixer.SPARSE_ATTENTION);
            }
            case "heavily_compressed_attention" -> {
                own.get(layer).put(ModelDimension.KV_COMPRESSION, 128L);
                yield Optional.of(Mixer.FULL_ATTENTION);
            }
            case "linear_attention", "mamba", "mamba2", "recurrent", "conv" -> Optional.of(Mixer.STATE);
            case "hybrid" -> Optional.of(Mixer.ATTENTION_AND_STATE);
            default -> Optional.empty();
        };
    }

    /// Returns the mixer of layers that look at all tokens.
    private Mixer full() {
        if (architecture.find(ModelDimension.INDEXER_HEAD_SIZE).orElse(0) > 0) {
            return Mixer.SPARSE_ATTENTION;
        }
        return architecture.hasLatentAttention() ? Mixer.LATENT_ATTENTION : Mixer.FULL_ATTENTION;
    }

    /// Reads the letters of hybrids whose layers are not pairs of attention and feed-forward block.
    private Optional<List<LayerKind>> letters() {
        if (!(text.members().get("hybrid_override_pattern") instanceof JsonString(String letters)) || count == 0) {
            return Optional.empty();
        }
        if (letters.length() != count || !LayerKinds.isPattern(letters)) {
            builder.doubt("hybrid_override_pattern is one of M, *, E and - for each of " + count + " layers, not '"
                    + CsvRow.shown(letters) + "'");
            return Optional.empty();
        }
        builder.layerPattern(letters, HuggingFaceConfig.STATED);
        return Optional.of(LayerKinds.of(builder.build()).layers());
    }

    /// Reads layers of an architecture found by a search: each with its own KV heads and width, or without.
    private Optional<List<LayerKind>> blocks() {
        if (!(text.members().get("block_configs") instanceof JsonArray(List<JsonValue> items)) || items.isEmpty()) {
            return Optional.empty();
        }
        if (items.size() != count) {
            builder.doubt("block_configs has " + items.size() + " entries for " + count + " layers");
            return Optional.empty();
        }
        List<LayerKind> kinds = new ArrayList<>();
        for (int layer = 0; layer < count; layer++) {
            kinds.add(new LayerKind(attention(items.get(layer), layer), feedForward(items.get(layer), layer)));
        }
        return Optional.of(kinds);
    }

    private Mixer attention(JsonValue item, int layer) {
        JsonObject said = part(item, "attention");
        refuseLinear(said);
        if (isSet(said, "no_op")) {
            return Mixer.NONE;
        }
        long heads = architecture.find(ModelDimension.HEADS).orElse(0);
        Optional<Long> kvHeads = number(said, "num_key_value_heads");
        Optional<Long> group = number(said, "n_heads_in_group");
        if (kvHeads.isPresent()) {
            own.get(layer).put(ModelDimension.KV_HEADS, kvHeads.get());
        } else if (group.isPresent() && group.get() > 0 && heads % group.get() == 0) {
            own.get(layer).put(ModelDimension.KV_HEADS, heads / group.get());
        } else {
            builder.doubt("block_configs does not say how many KV heads layer " + layer + " has");
        }
        return Mixer.FULL_ATTENTION;
    }

    private Block feedForward(JsonValue item, int layer) {
        JsonObject said = part(item, "ffn");
        refuseLinear(said);
        if (isSet(said, "no_op")) {
            return Block.NONE;
        }
        Optional<Long> width = number(said, "intermediate_size");
        if (width.isEmpty() && said.members().get("ffn_mult") instanceof JsonNumber factor) {
            // The width is two thirds of a multiple of the hidden size, rounded up to whole blocks of 256.
            double hidden = architecture.find(ModelDimension.HIDDEN_SIZE).orElse(0);
            long inner = (long) (2 * Double.parseDouble(factor.text()) * hidden / 3);
            width = Optional.of(Math.ceilDiv(inner, 256) * 256);
        }
        if (width.isPresent()) {
            own.get(layer).put(ModelDimension.FEED_FORWARD_SIZE, width.get());
        } else {
            builder.doubt("block_configs does not say how wide the block of layer " + layer + " is");
        }
        return Block.DENSE;
    }

    private void refuseLinear(JsonObject said) {
        if (isSet(said, "replace_with_linear")) {
            builder.doubt("block_configs replaces a part by a linear one, which is not counted");
        }
    }

    private static JsonObject part(JsonValue item, String key) {
        return item.find(key).orElse(null) instanceof JsonObject part ? part : new JsonObject(Map.of());
    }

    private static boolean isSet(JsonObject object, String key) {
        return object.members().get(key) instanceof JsonBoolean(boolean value) && value;
    }

    private static Optional<Long> number(JsonObject object, String key) {
        return object.members().get(key) instanceof JsonNumber number
                        && number.isWhole()
                        && number.text().length() <= 18
                ? Optional.of(Long.parseLong(number.text()))
                : Optional.empty();
    }

    private List<LayerKind> derived() {
        List<LayerKind> kinds = new ArrayList<>();
        List<ModelLayer> plain = architecture.layers();
        for (int layer = 0; layer < count; layer++) {
            LayerKind general = plain.get(layer).kind();
            int at = layer;
            Mixer mixer = Optional.ofNullable(family)
                    .flatMap(known -> known.mixer(at))
                    .orElse(general.mixer());
            Mixer full = mixer == Mixer.FULL_ATTENTION && !isChosen(at) ? full() : mixer;
            kinds.add(new LayerKind(full, block(layer, full)));
        }
        return kinds;
    }

    /// Reports whether the family itself states the mixer of a layer.
    private boolean isChosen(int layer) {
        return family != null && family.mixer(layer).isPresent();
    }

    /// Returns the block of a layer from its word, from the family, or else by the numbers that most families have.
    private Block block(int layer, Mixer mixer) {
        if (text.members().get("mlp_layer_types") instanceof JsonArray(List<JsonValue> items) && layer < items.size()) {
            String word = items.get(layer) instanceof JsonString(String said) ? said : "";
            return switch (word) {
                case "dense" -> Block.DENSE;
                case "sparse", "moe", "hash_moe" -> Block.EXPERTS;
                default -> {
                    builder.doubt(
                            "the kind of block '" + CsvRow.shown(word) + "' in mlp_layer_types is not understood");
                    yield Block.NONE;
                }
            };
        }
        Block general = architecture.layers().get(layer).kind().block();
        return Optional.ofNullable(family)
                .flatMap(known -> known.block(layer, mixer))
                .orElse(general);
    }
}
