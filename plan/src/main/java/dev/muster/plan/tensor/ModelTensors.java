package dev.muster.plan.tensor;

import static dev.muster.plan.model.ModelDimension.ACTIVE_EXPERTS;
import static dev.muster.plan.model.ModelDimension.CONTEXT;
import static dev.muster.plan.model.ModelDimension.EXPERTS;
import static dev.muster.plan.model.ModelDimension.EXPERT_FEED_FORWARD_SIZE;
import static dev.muster.plan.model.ModelDimension.EXPERT_LATENT_SIZE;
import static dev.muster.plan.model.ModelDimension.FEED_FORWARD_SIZE;
import static dev.muster.plan.model.ModelDimension.FULL_HEAD_SIZE;
import static dev.muster.plan.model.ModelDimension.FULL_KV_HEADS;
import static dev.muster.plan.model.ModelDimension.HEADS;
import static dev.muster.plan.model.ModelDimension.HEAD_SIZE;
import static dev.muster.plan.model.ModelDimension.HIDDEN_SIZE;
import static dev.muster.plan.model.ModelDimension.KV_COMPRESSION;
import static dev.muster.plan.model.ModelDimension.KV_HEADS;
import static dev.muster.plan.model.ModelDimension.KV_RANK;
import static dev.muster.plan.model.ModelDimension.LAYERS;
import static dev.muster.plan.model.ModelDimension.LAYER_INPUT_SIZE;
import static dev.muster.plan.model.ModelDimension.LOCAL_HEADS;
import static dev.muster.plan.model.ModelDimension.OUTPUT_GROUPS;
import static dev.muster.plan.model.ModelDimension.OUTPUT_RANK;
import static dev.muster.plan.model.ModelDimension.PLAIN_HEAD_SIZE;
import static dev.muster.plan.model.ModelDimension.QUERY_RANK;
import static dev.muster.plan.model.ModelDimension.ROPE_HEAD_SIZE;
import static dev.muster.plan.model.ModelDimension.SHARED_FEED_FORWARD_SIZE;
import static dev.muster.plan.model.ModelDimension.STATE_CONVOLUTION;
import static dev.muster.plan.model.ModelDimension.STATE_GROUPS;
import static dev.muster.plan.model.ModelDimension.STATE_HEADS;
import static dev.muster.plan.model.ModelDimension.STATE_KEY_SIZE;
import static dev.muster.plan.model.ModelDimension.STATE_VALUE_SIZE;
import static dev.muster.plan.model.ModelDimension.VALUE_HEAD_SIZE;
import static dev.muster.plan.model.ModelDimension.VOCABULARY;

import dev.muster.plan.model.LayerKind;
import dev.muster.plan.model.LayerKinds;
import dev.muster.plan.model.ModelArchitecture;
import dev.muster.plan.model.ModelDimension;
import dev.muster.plan.tensor.ModelFamily.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The tensors that a model of an architecture has, as its family builds it. Everything that is counted from an
/// architecture is counted here. Confined to one thread.
///
/// @since 0.1
public final class ModelTensors {
    private final ModelArchitecture architecture;
    private final ModelFamily family;
    private final List<ModelTensor> tensors = new ArrayList<>();
    private final long hidden;

    private ModelTensors(ModelArchitecture architecture, ModelFamily family) {
        this.architecture = architecture;
        this.family = family;
        this.hidden = get(HIDDEN_SIZE);
    }

    /// The tensors; empty where the architecture lacks a number that they follow from.
    public static Optional<List<ModelTensor>> of(ModelArchitecture architecture) {
        if (!isComplete(architecture)) {
            return Optional.empty();
        }
        ModelFamily family = architecture.family().find().map(ModelFamily::of).orElse(ModelFamily.OTHER);
        ModelTensors model = new ModelTensors(architecture, family);
        model.addAll();
        return Optional.of(List.copyOf(model.tensors));
    }

    private static boolean isComplete(ModelArchitecture architecture) {
        for (ModelDimension needed : List.of(LAYERS, HIDDEN_SIZE, HEADS, VOCABULARY)) {
            if (architecture.find(needed).isEmpty()) {
                return false;
            }
        }
        boolean heads = architecture.hasLatentAttention()
                ? architecture.find(ROPE_HEAD_SIZE).isPresent()
                        && architecture.find(PLAIN_HEAD_SIZE).isPresent()
                        && architecture.find(VALUE_HEAD_SIZE).isPresent()
                : architecture.find(KV_HEADS).isPresent()
                        && architecture.find(HEAD_SIZE).isPresent();
        boolean experts = architecture.find(EXPERT_FEED_FORWARD_SIZE).isPresent()
                && architecture.find(ACTIVE_EXPERTS).isPresent();
        boolean block = architecture.hasExperts()
                ? experts
                : architecture.find(FEED_FORWARD_SIZE).isPresent();
        return heads
                && block
                && architecture.tiedEmbeddings().isKnown()
                && architecture.find(LAYERS).getAsLong() <= LayerKinds.MAX_LAYERS;
    }

    private long get(ModelDimension dimension) {
        return architecture.find(dimension).orElse(0);
    }

    private void addAll() {
        matrix(TensorRole.EMBEDDING, ModelTensor.NO_LAYER, get(VOCABULARY), hidden);
        if (get(LAYER_INPUT_SIZE) > 0) {
            matrix(
                    TensorRole.EMBEDDING,
                    ModelTensor.NO_LAYER,
                    get(VOCABULARY),
                    Math.multiplyExact(get(LAYERS), get(LAYER_INPUT_SIZE)));
        }
        if (family.has(Trait.POSITIONS)) {
            matrix(TensorRole.POSITIONS, ModelTensor.NO_LAYER, get(CONTEXT), hidden);
        }
        if (family.has(Trait.EMBEDDING_NORM)) {
            norm(ModelTensor.NO_LAYER, hidden);
        }
        List<LayerKind> layers = LayerKinds.of(architecture).layers();
        for (int layer = 0; layer < layers.size(); layer++) {
            addLayer(layer, layers.get(layer));
        }
        norm(ModelTensor.NO_LAYER, hidden);
        if (!architecture.tiedEmbeddings().find().orElseThrow()) {
            matrix(TensorRole.OUTPUT, ModelTensor.NO_LAYER, get(VOCABULARY), hidden);
            vectorIf(Trait.HEAD_BIAS, ModelTensor.NO_LAYER, get(VOCABULARY));
        }
    }

    private void addLayer(int layer, LayerKind kind) {
        for (int norm = 0; norm < normsPerLayer(); norm++) {
            norm(layer, hidden);
        }
        switch (kind.mixer()) {
            case FULL_ATTENTION -> addAttention(layer, true);
            case LOCAL_ATTENTION -> addAttention(layer, false);
            case STATE -> addState(layer);
            case NONE -> {}
        }
        switch (kind.block()) {
            case DENSE -> addBlock(layer, get(FEED_FORWARD_SIZE));
            case EXPERTS -> addExperts(layer);
            case NONE -> {}
        }
        if (get(LAYER_INPUT_SIZE) > 0) {
            // What the layer takes of its embedding: projected from the model's width, gated, and projected back.
            addBlock(layer, get(LAYER_INPUT_SIZE));
        }
    }

    private int normsPerLayer() {
        boolean one = family.has(Trait.ONE_NORM) || (family.has(Trait.ONE_NORM_FOR_ONE_KV_HEAD) && get(KV_HEADS) == 1);
        return one ? 1 : family.has(Trait.FOUR_NORMS) ? 4 : 2;
    }

    private void addAttention(int layer, boolean full) {
        if (architecture.hasLatentAttention()) {
            addLatentAttention(layer);
        } else {
            addPlainAttention(layer, full);
        }
    }

    private void addPlainAttention(int layer, boolean full) {
        long size = full ? architecture.find(FULL_HEAD_SIZE).orElse(get(HEAD_SIZE)) : get(HEAD_SIZE);
        long kvHeads = full ? architecture.find(FULL_KV_HEADS).orElse(get(KV_HEADS)) : get(KV_HEADS);
        long queryHeads = full ? get(HEADS) : architecture.find(LOCAL_HEADS).orElse(get(HEADS));
        // In Gemma 4 only full layers that have KV heads of their own do.
        boolean keysAreValues =
                full && family.has(Trait.KEYS_ARE_VALUES) && (get(FULL_KV_HEADS) > 0 || get(KV_COMPRESSION) > 0);
        long queries = queryHeads * size;
        long keys = kvHeads * size;
        long values =
                keysAreValues ? 0 : kvHeads * architecture.find(VALUE_HEAD_SIZE).orElse(size);
        long heads = queryHeads * architecture.find(VALUE_HEAD_SIZE).orElse(size);
        addQueries(layer, family.has(Trait.ATTENTION_GATE) ? 2 * queries : queries);
        matrix(TensorRole.KEY, layer, keys, hidden);
        if (values > 0) {
            matrix(TensorRole.VALUE, layer, values, hidden);
        }
        addOutput(layer, heads);
        vectorIf(Trait.QKV_BIAS, layer, queries);
        vectorIf(Trait.QKV_BIAS, layer, keys);
        vectorIf(Trait.QKV_BIAS, layer, values);
        vectorIf(Trait.OUTPUT_BIAS, layer, hidden);
        vectorIf(Trait.QK_NORM, layer, size);
        vectorIf(Trait.QK_NORM, layer, size);
        vectorIf(Trait.SINKS, layer, get(HEADS));
    }

    private void addQueries(int layer, long width) {
        if (get(QUERY_RANK) > 0) {
            matrix(TensorRole.LATENT_DOWN, layer, get(QUERY_RANK), hidden);
            vector(layer, get(QUERY_RANK));
            matrix(TensorRole.LATENT_UP, layer, width, get(QUERY_RANK));
        } else {
            matrix(TensorRole.QUERY, layer, width, hidden);
        }
    }

    private void addOutput(int layer, long width) {
        if (get(OUTPUT_RANK) > 0) {
            matrix(TensorRole.LATENT_DOWN, layer, get(OUTPUT_RANK), width);
            matrix(TensorRole.ATTENTION_OUTPUT, layer, hidden, get(OUTPUT_RANK) * Math.max(1, get(OUTPUT_GROUPS)));
        } else {
            matrix(TensorRole.ATTENTION_OUTPUT, layer, hidden, width);
        }
    }

    private void addLatentAttention(int layer) {
        long heads = get(HEADS);
        long queryWidth = heads * (get(PLAIN_HEAD_SIZE) + get(ROPE_HEAD_SIZE));
        long rank = get(KV_RANK);
        addQueries(layer, queryWidth);
        matrix(TensorRole.LATENT_DOWN, layer, rank + get(ROPE_HEAD_SIZE), hidden);
        vector(layer, rank);
        matrix(TensorRole.LATENT_UP, layer, heads * (get(PLAIN_HEAD_SIZE) + get(VALUE_HEAD_SIZE)), rank);
        matrix(TensorRole.ATTENTION_OUTPUT, layer, hidden, heads * get(VALUE_HEAD_SIZE));
    }

    /// Keys and queries of each group, values and an output gate of each head, and one or two numbers that say how fast
    /// a head forgets. Where nobody says how large states are, the layer is counted as one that attends.
    private void addState(int layer) {
        if (!architecture.hasStates()) {
            addAttention(layer, true);
            return;
        }
        long heads = get(STATE_HEADS);
        long keys = get(STATE_GROUPS) * get(STATE_KEY_SIZE);
        long values = heads * get(STATE_VALUE_SIZE);
        long convolved = 2 * keys + values;
        boolean isMamba = family.has(Trait.MAMBA);
        matrix(TensorRole.STATE_IN, layer, convolved + values + (isMamba ? heads : 2 * heads), hidden);
        matrix(TensorRole.STATE_OUT, layer, hidden, values);
        matrix(TensorRole.VECTOR, layer, convolved, Math.max(1, get(STATE_CONVOLUTION)));
        vector(layer, isMamba ? 3 * heads : 2 * heads);
        vector(layer, isMamba ? values : get(STATE_VALUE_SIZE));
        if (isMamba) {
            vector(layer, convolved);
        }
    }

    private void addBlock(int layer, long inner) {
        if (!family.has(Trait.UNGATED)) {
            matrix(TensorRole.GATE, layer, inner, hidden);
        }
        matrix(TensorRole.UP, layer, inner, hidden);
        matrix(TensorRole.DOWN, layer, hidden, inner);
        vectorIf(Trait.MLP_BIAS, layer, inner);
        vectorIf(Trait.MLP_BIAS, layer, hidden);
    }

    private void addExperts(int layer) {
        long experts = get(EXPERTS);
        long inner = get(EXPERT_FEED_FORWARD_SIZE);
        long width = architecture.find(EXPERT_LATENT_SIZE).orElse(hidden);
        if (width != hidden) {
            matrix(TensorRole.LATENT_DOWN, layer, width, hidden);
            matrix(TensorRole.LATENT_UP, layer, hidden, width);
        }
        matrix(TensorRole.ROUTER, layer, experts, hidden);
        vectorIf(Trait.ROUTER_BIAS, layer, experts);
        if (family.has(Trait.LATENT_NORMS) && get(QUERY_RANK) > 0) {
            vector(layer, experts);
        }
        if (!family.has(Trait.UNGATED)) {
            expert(TensorRole.GATE, layer, inner, width);
        }
        expert(TensorRole.UP, layer, inner, width);
        expert(TensorRole.DOWN, layer, width, inner);
        if (family.has(Trait.EXPERT_BIAS)) {
            expert(TensorRole.VECTOR, layer, 2 * inner + hidden, 1);
        }
        if (get(SHARED_FEED_FORWARD_SIZE) > 0) {
            addBlock(layer, get(SHARED_FEED_FORWARD_SIZE));
            vectorIf(Trait.SHARED_GATE, layer, hidden);
        }
    }

    private void expert(TensorRole role, int layer, long rows, long columns) {
        long active = Math.min(get(ACTIVE_EXPERTS), get(EXPERTS));
        tensors.add(new ModelTensor(role, layer, get(EXPERTS), active, rows, columns));
    }

    private void norm(int layer, long width) {
        vector(layer, width);
        vectorIf(Trait.NORM_BIAS, layer, width);
    }

    private void vectorIf(Trait trait, int layer, long width) {
        if (family.has(trait)) {
            vector(layer, width);
        }
    }

    private void vector(int layer, long width) {
        matrix(TensorRole.VECTOR, layer, width, 1);
    }

    private void matrix(TensorRole role, int layer, long rows, long columns) {
        tensors.add(new ModelTensor(role, layer, 1, 1, rows, columns));
    }
}
