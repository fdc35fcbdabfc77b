// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.model.LayerKind;
import dev.muster.model.LayerKind.Block;
import dev.muster.model.LayerKinds;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelComponent;
import dev.muster.model.ModelComponent.PassFigure;
import dev.muster.model.ModelComponent.Role;
import dev.muster.model.ModelDimension;
import dev.muster.model.ModelKind;
import dev.muster.model.ModelLayer;
import dev.muster.model.table.CsvRow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The tensors that a model of an architecture has, as its family builds it. All counts derived from an architecture
/// are made here. Confined to one thread.
public final class ModelTensors {
    /// The number of labels of a model that classifies, among the details of an architecture.
    public static final String LABELS = "num_labels";

    private static final Provenance EXACT = stated("tensors of the architecture");
    private static final Provenance ABOUT = assumed("tensors of the architecture, small ones as in Llama");
    /// Provenance of an exact count.
    public static final Provenance COUNTED = stated("count over the architecture");
    private static final Provenance COUNTED_ABOUT = assumed("count over the architecture, small tensors as in Llama");

    private final ModelArchitecture architecture;
    private final ModelFamily family;
    private final ArchitectureScope scope;
    private final boolean isListed;
    private final List<ModelTensor> tensors = new ArrayList<>();
    private long total;
    private long active;

    private ModelTensors(ModelArchitecture architecture, ModelFamily family, boolean isListed) {
        this.architecture = architecture;
        this.family = family;
        this.scope = new ArchitectureScope(architecture, family);
        this.isListed = isListed;
    }

    private static Provenance stated(String source) {
        return Provenance.of(source, Provenance.Method.DERIVED, Provenance.Confidence.STATED);
    }

    private static Provenance assumed(String source) {
        return Provenance.of(source, Provenance.Method.DERIVED, Provenance.Confidence.ASSUMED);
    }

    /// Returns the tensors; empty if the architecture lacks a number that they follow from.
    public static Optional<List<ModelTensor>> of(ModelArchitecture architecture) {
        return read(architecture).find();
    }

    /// Returns the tensors; unknown, with the reason, if they do not follow from the architecture. If the family is
    /// not stated, or a catalogue or file states an unknown one, small tensors are those of Llama.
    public static Reading<List<ModelTensor>> read(ModelArchitecture architecture) {
        return read(architecture, true).map(model -> List.copyOf(model.tensors));
    }

    /// Returns the number of elements of all tensors, without listing them; unknown if the tensors are.
    static Reading<ParameterCount> count(ModelArchitecture architecture) {
        return read(architecture, false).map(model -> new ParameterCount(model.total, model.active));
    }

    private static Reading<ModelTensors> read(ModelArchitecture architecture, boolean isListed) {
        if (!architecture.doubt().isEmpty()) {
            return Reading.unknown(UnknownReason.UNREADABLE, architecture.doubt());
        }
        boolean isOfParts = architecture.kind() != ModelKind.TEXT_GENERATION
                && !architecture.components().isEmpty();
        if (architecture.layers().isEmpty() && !isOfParts) {
            return Reading.unknown(UnknownReason.NOT_STATED, "the architecture is not complete");
        }
        Optional<ModelFamily> family = architecture.family().find().flatMap(ModelFamily::find);
        try {
            ModelTensors model =
                    new ModelTensors(architecture, family.orElseGet(() -> ModelFamily.plain(architecture)), isListed);
            if (isOfParts) {
                architecture
                        .components()
                        .forEach(part -> model.add(
                                new ModelTensor(TensorRole.PART, ModelTensor.NO_LAYER, 1, 1, part.parameters(), 1)));
                return Reading.known(model, COUNTED);
            }
            model.addAll();
            Provenance exact = isListed ? EXACT : COUNTED;
            return Reading.known(model, family.isPresent() ? exact : isListed ? ABOUT : COUNTED_ABOUT);
        } catch (Formula.MissingNumberException e) {
            return Reading.unknown(UnknownReason.NOT_STATED, "the architecture does not state " + label(e.name()));
        } catch (ArithmeticException _) {
            return Reading.unknown(UnknownReason.UNREADABLE, "the architecture has more than 2^63-1 parameters");
        }
    }

    private static String label(String name) {
        for (ModelDimension dimension : ModelDimension.values()) {
            if (dimension.column().equals(name)) {
                return dimension.label();
            }
        }
        return name.equals("tied") ? "whether embeddings are tied" : "'" + name + "'";
    }

    /// Returns the number of parameters of a part that reads images or sound, as the whole model's family and its
    /// tower build it; unknown if one of them is unknown, or a number is not stated.
    ///
    /// @param described the numbers of all parts, by their paths
    /// @param families the families that build it
    /// @param sense the part in the table of families: `vision` or `audio`
    public static Reading<Long> senseParameters(ModelArchitecture described, List<String> families, String sense) {
        long sum = 0;
        for (String name : families) {
            ModelFamily family = ModelFamily.find(name).orElse(null);
            if (family == null || !family.hasGroup(sense)) {
                return Reading.unknown(
                        UnknownReason.UNREADABLE,
                        "the " + sense + " part of the family '" + CsvRow.shown(name) + "' is not known");
            }
            ArchitectureScope scope = new ArchitectureScope(described, family);
            try {
                for (ModelFamily.Slot slot : family.slots()) {
                    if (slot.group().equals(sense)) {
                        long columns =
                                slot.columns() == null ? 1 : slot.columns().of(scope);
                        sum = Math.addExact(sum, Math.multiplyExact(slot.rows().of(scope), columns));
                    }
                }
            } catch (Formula.MissingNumberException e) {
                return Reading.unknown(UnknownReason.NOT_STATED, "'" + e.name() + "' is not stated");
            } catch (ArithmeticException _) {
                return Reading.unknown(UnknownReason.UNREADABLE, "there are more than 2^63-1");
            }
        }
        return Reading.known(sum, EXACT);
    }

    /// Returns the stack of layers over a text as a part; empty if it cannot be counted.
    public static Optional<ModelComponent> stack(ModelArchitecture architecture) {
        return of(architecture).map(tensors -> {
            long token = 0;
            long parameters = 0;
            for (ModelTensor tensor : tensors) {
                parameters += tensor.elements();
                boolean isPassed = switch (tensor.role()) {
                    case EMBEDDING, LAYER_EMBEDDING, POSITIONS, VECTOR, VISION, AUDIO, PART -> false;
                    default -> true;
                };
                token += isPassed ? tensor.activeElements() : 0;
            }
            long layers = architecture.layers().size();
            long heads = architecture.find(ModelDimension.HEADS).orElse(1)
                    * architecture.find(ModelDimension.HEAD_SIZE).orElse(1);
            boolean isEncoder = architecture.family().find().flatMap(ModelFamily::find).stream()
                    .anyMatch(family -> family.hasDefault("encodes"));
            Map<PassFigure, Long> figures = new EnumMap<>(PassFigure.class);
            figures.put(PassFigure.TOKEN, token);
            figures.put(PassFigure.PAIR, 2 * heads * layers);
            figures.put(PassFigure.LAYERS, layers);
            figures.put(
                    PassFigure.WIDTH,
                    architecture.find(ModelDimension.HIDDEN_SIZE).orElse(heads));
            figures.put(PassFigure.CAUSAL, isEncoder ? 0L : 1L);
            return new ModelComponent(Role.ENCODER, "encoder", parameters, figures);
        });
    }

    private void addAll() {
        addGroup("model", ModelTensor.NO_LAYER, 1, 1);
        List<ModelLayer> layers = architecture.layers();
        if (layers.size() > LayerKinds.MAX_LAYERS) {
            throw new ArithmeticException("layers");
        }
        List<Counted> counted = new ArrayList<>();
        for (int layer = 0; layer < layers.size(); layer++) {
            if (!addAgain(counted, layer, layers.get(layer))) {
                int first = tensors.size();
                long before = total;
                long activeBefore = active;
                scope.enter(layer, layers.get(layer));
                addLayer(layer, layers.get(layer).kind());
                if (scope.isSameForLikeLayers()) {
                    counted.add(new Counted(
                            layers.get(layer), first, tensors.size(), total - before, active - activeBefore));
                }
            }
        }
        scope.leave();
        addGroup("last", ModelTensor.NO_LAYER, 1, 1);
        addSense(TensorRole.VISION, architecture.visionParameters());
        addSense(TensorRole.AUDIO, architecture.audioParameters());
    }

    private void addSense(TensorRole role, Reading<Long> parameters) {
        parameters.find().ifPresent(count -> add(new ModelTensor(role, ModelTensor.NO_LAYER, 1, 0, count, 1)));
    }

    /// A layer that was counted, for every layer like it.
    private record Counted(ModelLayer layer, int first, int end, long total, long active) {
        boolean isLike(ModelLayer other) {
            return layer.kind().mixer() == other.kind().mixer()
                    && layer.kind().block() == other.kind().block()
                    && layer.own().equals(other.own());
        }
    }

    /// Adds the tensors of a layer from an earlier layer like it, if there was one: most models have one or two kinds
    /// of layers.
    private boolean addAgain(List<Counted> counted, int layer, ModelLayer wanted) {
        for (Counted one : counted) {
            if (one.isLike(wanted)) {
                for (int at = one.first; at < one.end; at++) {
                    ModelTensor like = tensors.get(at);
                    tensors.add(new ModelTensor(
                            like.role(), layer, like.count(), like.active(), like.rows(), like.columns()));
                }
                total = Math.addExact(total, one.total);
                active = Math.addExact(active, one.active);
                return true;
            }
        }
        return false;
    }

    private void addLayer(int layer, LayerKind kind) {
        addGroup("layer", layer, 1, 1);
        if (kind.mixer().isAttention()) {
            addGroup("attn", layer, 1, 1);
        }
        if (kind.mixer().keepsState()) {
            addGroup("state", layer, 1, 1);
        }
        if (kind.block() == Block.DENSE) {
            addGroup("mlp", layer, 1, 1);
        }
        if (kind.block() == Block.EXPERTS) {
            addGroup("moe", layer, 1, 1);
            long experts = value("experts");
            addGroup("expert", layer, experts, Math.min(value("experts_per_tok"), experts));
            addGroup("shared", layer, 1, 1);
        }
    }

    private long value(String name) {
        return new Formula.Name(name).of(scope);
    }

    private void addGroup(String group, int layer, long count, long chosen) {
        for (ModelFamily.Slot slot : family.slots()) {
            boolean isHead = slot.group().equals("last") && slot.name().startsWith("head");
            if (slot.group().equals(group) && (!isHead || hasHead())) {
                add(slot, layer, count, chosen);
            }
        }
    }

    private boolean hasHead() {
        return architecture.kind().hasHead() && !architecture.details().containsKey(LABELS);
    }

    private void add(ModelFamily.Slot slot, int layer, long count, long chosen) {
        long rows = slot.rows().of(scope);
        Formula columns = slot.columns();
        if (rows < 0) {
            throw new ArithmeticException(slot.name());
        }
        long width = rows == 0 ? 0 : columns == null ? 1 : columns.of(scope);
        if (width > 0) {
            add(new ModelTensor(role(slot.group(), slot.name(), columns), layer, count, chosen, rows, width));
        }
    }

    private void add(ModelTensor tensor) {
        total = Math.addExact(total, tensor.elements());
        active = Math.addExact(active, tensor.activeElements());
        if (isListed) {
            tensors.add(tensor);
        }
    }

    /// Returns the role of a tensor by its name in the table of families.
    private static TensorRole role(String group, String name, @Nullable Formula columns) {
        if (columns == null) {
            return TensorRole.VECTOR;
        }
        return switch (name) {
            case "embedding" -> TensorRole.EMBEDDING;
            case "embedding2" -> TensorRole.LAYER_EMBEDDING;
            case "positions" -> TensorRole.POSITIONS;
            case "head" -> TensorRole.OUTPUT;
            case "q" -> TensorRole.QUERY;
            case "k" -> TensorRole.KEY;
            case "v" -> TensorRole.VALUE;
            case "o" -> TensorRole.ATTENTION_OUTPUT;
            case "qa", "kva" -> TensorRole.LATENT_DOWN;
            case "qb", "kvb" -> TensorRole.LATENT_UP;
            case "gate" -> TensorRole.GATE;
            case "up" -> TensorRole.UP;
            case "down" -> TensorRole.DOWN;
            case "router" -> TensorRole.ROUTER;
            case "conv" -> TensorRole.VECTOR;
            case "out" -> TensorRole.STATE_OUT;
            default ->
                switch (group) {
                    case "attn", "moe" -> TensorRole.LATENT_DOWN;
                    case "state" -> TensorRole.STATE_IN;
                    case "model", "last" -> TensorRole.POSITIONS;
                    default -> TensorRole.UP;
                };
        };
    }
}
