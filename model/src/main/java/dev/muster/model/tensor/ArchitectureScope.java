// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import dev.muster.model.LayerKind.Block;
import dev.muster.model.LayerKind.Mixer;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.ModelKind;
import dev.muster.model.ModelLayer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The values of names in formulas: numbers of a layer, of the architecture (by the columns of the model catalogue),
/// of the source under names of its own, and defaults of the family. Confined to one thread.
final class ArchitectureScope implements Formula.Scope {
    private static final Map<String, ModelDimension> COLUMNS = new HashMap<>();
    /// Names of the parts that see and hear, for short.
    private static final Map<String, String> PARTS =
            Map.of("v.", "vision_config.", "a.", "audio_config.", "t.", "text_config.");
    /// Defaults refer to each other a few levels deep, never in a circle.
    private static final int MAX_DEPTH = 16;

    static {
        for (ModelDimension dimension : ModelDimension.values()) {
            if (!dimension.column().isEmpty()) {
                COLUMNS.put(dimension.column(), dimension);
            }
        }
    }

    private final ModelArchitecture architecture;
    private final ModelFamily family;
    private @Nullable ModelLayer layer;
    private int index = -1;
    private int depth;
    /// True if a value that depends on the layer's position was read since the layer was entered.
    private boolean placed;

    ArchitectureScope(ModelArchitecture architecture, ModelFamily family) {
        this.architecture = architecture;
        this.family = family;
    }

    /// Sets the layer that names refer to from now on.
    void enter(int at, ModelLayer entered) {
        index = at;
        layer = entered;
        placed = false;
    }

    /// Reports whether the values read since the layer was entered are the same for every layer like it.
    boolean isSameForLikeLayers() {
        return !placed;
    }

    /// Makes names refer to the model from now on.
    void leave() {
        index = -1;
        layer = null;
    }

    @Override
    public OptionalLong find(String name) {
        ModelLayer current = layer;
        OptionalLong known = current == null ? OptionalLong.empty() : ofLayer(current, name);
        if (known.isPresent()) {
            return known;
        }
        ModelDimension dimension = COLUMNS.get(name);
        if (dimension != null) {
            known = architecture.find(dimension);
        } else if (LayerWords.CODES.containsKey(name)) {
            return OptionalLong.of(LayerWords.CODES.get(name));
        } else if (name.equals("tied")) {
            known = architecture
                    .tiedEmbeddings()
                    .find()
                    .map(tied -> OptionalLong.of(tied ? 1 : 0))
                    .orElse(OptionalLong.empty());
        } else if (name.equals("embeds")) {
            return flag(architecture.kind() == ModelKind.EMBEDDING);
        } else if (name.equals("classifies")) {
            return flag(architecture.details().containsKey(ModelTensors.LABELS));
        }
        if (known.isEmpty()) {
            known = detail(list(name));
        }
        return known.isPresent() ? known : byDefault(name);
    }

    private OptionalLong ofLayer(ModelLayer current, String name) {
        ModelDimension dimension = COLUMNS.get(name);
        if (dimension != null) {
            Long own = current.own().get(dimension);
            return own == null ? OptionalLong.empty() : OptionalLong.of(own);
        }
        Mixer mixer = current.kind().mixer();
        return switch (name) {
            case "i" -> {
                placed = true;
                yield OptionalLong.of(index);
            }
            case "is_local" -> flag(mixer.isBounded());
            case "is_full" -> flag(mixer.looksAtAll());
            case "is_sparse" -> flag(mixer == Mixer.SPARSE_ATTENTION);
            case "is_state" -> flag(mixer.keepsState());
            case "is_both" -> flag(mixer == Mixer.ATTENTION_AND_STATE);
            case "is_moe" -> flag(current.kind().block() == Block.EXPERTS);
            default -> OptionalLong.empty();
        };
    }

    private static OptionalLong flag(boolean is) {
        return OptionalLong.of(is ? 1 : 0);
    }

    private OptionalLong detail(List<Long> values) {
        if (values.isEmpty()) {
            return OptionalLong.empty();
        }
        placed |= values.size() > 1;
        return OptionalLong.of(index >= 0 && index < values.size() ? values.get(index) : values.getFirst());
    }

    private OptionalLong byDefault(String name) {
        Formula formula = family.defaults().get(name);
        if (formula == null || depth == MAX_DEPTH) {
            return OptionalLong.empty();
        }
        depth++;
        try {
            return OptionalLong.of(formula.of(this));
        } finally {
            depth--;
        }
    }

    @Override
    public List<Long> list(String name) {
        List<Long> values = architecture.details().get(name);
        if (values == null && name.length() > 2) {
            String part = PARTS.get(name.substring(0, 2));
            values = part == null ? null : architecture.details().get(part + name.substring(2));
        }
        return values == null ? List.of() : values;
    }
}
