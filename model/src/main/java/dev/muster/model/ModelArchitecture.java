// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The architecture of a model, as far as its source states it: each fact with its provenance, or unknown with the
/// reason. Immutable.
///
/// A number that the source does not mention is unknown, not zero: a model without experts has an unknown number of
/// experts, and [#hasExperts()] says no.
///
/// @since 0.1
public final class ModelArchitecture {
    /// An architecture of which nothing is known.
    public static final ModelArchitecture UNKNOWN = builder().build();

    private final Reading<String> family;
    private final ModelKind kind;
    private final Map<ModelDimension, Reading<Long>> dimensions;
    private final Reading<String> layerPattern;
    private final List<ModelLayer> layers;
    private final Map<String, List<Long>> details;
    private final Reading<Long> visionParameters;
    private final Reading<Long> audioParameters;
    private final List<ModelComponent> components;
    private final String doubt;
    private final boolean statesLayers;
    private final Reading<Boolean> tiedEmbeddings;
    private final Reading<ModelQuantization> quantization;

    private ModelArchitecture(ArchitectureBuilder builder) {
        this.family = builder.family;
        this.kind = builder.kind;
        this.dimensions = new EnumMap<>(builder.dimensions);
        this.layerPattern = builder.layerPattern;
        this.tiedEmbeddings = builder.tiedEmbeddings;
        this.quantization = builder.quantization;
        this.details = Map.copyOf(builder.details);
        this.visionParameters = builder.visionParameters;
        this.audioParameters = builder.audioParameters;
        this.components = List.copyOf(builder.components);
        this.doubt = builder.doubt;
        this.layers = builder.layers.isEmpty() ? LayerKinds.derive(this) : List.copyOf(builder.layers);
        this.statesLayers = !builder.layers.isEmpty();
    }

    /// Returns a builder that starts with nothing known.
    public static ArchitectureBuilder builder() {
        return new ArchitectureBuilder();
    }

    /// Returns the model's type, such as `llama`, `qwen3_moe` or `deepseek_v3`.
    public Reading<String> family() {
        return family;
    }

    /// Returns the task of the model.
    ///
    /// @since 0.3
    public ModelKind kind() {
        return kind;
    }

    /// Returns a dimension.
    public Reading<Long> dimension(ModelDimension dimension) {
        Reading<Long> reading = dimensions.get(dimension);
        return reading == null ? Reading.unknown(UnknownReason.NOT_STATED) : reading;
    }

    /// Returns a dimension, if it is known.
    public OptionalLong find(ModelDimension dimension) {
        return value(dimensions.get(dimension));
    }

    private static OptionalLong value(@Nullable Reading<Long> reading) {
        return reading instanceof Reading.Known<Long>(Long value, var _)
                ? OptionalLong.of(value)
                : OptionalLong.empty();
    }

    /// Returns one letter for each layer of a hybrid whose layers are not pairs of attention and feed-forward block:
    /// `M` keeps a state, `*` attends, `E` has experts, `-` a block. Unknown for all other models; [LayerKinds] has
    /// the layers of both.
    public Reading<String> layerPattern() {
        return layerPattern;
    }

    /// Returns the layers from the first to the last: those that the source lists, or else those that follow from its
    /// pattern or its steps. Empty if their number is not known.
    public List<ModelLayer> layers() {
        return layers;
    }

    /// Returns a dimension of a layer: its own, or that of all layers.
    public OptionalLong find(ModelLayer layer, ModelDimension dimension) {
        Long own = layer.own().get(dimension);
        return own == null ? find(dimension) : OptionalLong.of(own);
    }

    /// Returns the values that the source gives under names of its own family, such as `attention_bias`: numbers,
    /// with 0 and 1 for false and true; several if the source has a list.
    public Map<String, List<Long>> details() {
        return details;
    }

    /// Returns the number of parameters of the parts that read images; unknown if the source has no such parts (then
    /// without a detail), or if they cannot be counted.
    public Reading<Long> visionParameters() {
        return visionParameters;
    }

    /// Returns the number of parameters of the parts that read sound, as [#visionParameters()].
    ///
    /// @since 0.2
    public Reading<Long> audioParameters() {
        return audioParameters;
    }

    /// Returns the parts of a model that is more than a stack of layers over a text, in the order in which they work;
    /// empty for others. Those that read images and sound for a decoder of text are among them.
    ///
    /// @since 0.3
    public List<ModelComponent> components() {
        return components;
    }

    /// Returns what the source states and Muster does not understand, so that nothing is counted from it; blank if
    /// everything is understood.
    public String doubt() {
        return doubt;
    }

    /// Reports whether input and output embedding are the same weights.
    public Reading<Boolean> tiedEmbeddings() {
        return tiedEmbeddings;
    }

    /// Returns the quantization of the weights; unknown if the source states none.
    public Reading<ModelQuantization> quantization() {
        return quantization;
    }

    /// Reports whether some layers choose among experts.
    public boolean hasExperts() {
        return find(ModelDimension.EXPERTS).orElse(0) > 0;
    }

    /// Reports whether the size of the states that layers without attention keep is known.
    public boolean hasStates() {
        return find(ModelDimension.STATE_HEADS).orElse(0) > 0
                && find(ModelDimension.STATE_KEY_SIZE).orElse(0) > 0
                && find(ModelDimension.STATE_VALUE_SIZE).orElse(0) > 0;
    }

    /// Reports whether the KV cache is kept compressed (multi-head latent attention).
    public boolean hasLatentAttention() {
        return find(ModelDimension.KV_RANK).orElse(0) > 0;
    }

    /// Returns a builder that starts with these facts.
    public ArchitectureBuilder toBuilder() {
        ArchitectureBuilder copy = builder();
        copy.family = family;
        copy.kind = kind;
        copy.dimensions.putAll(dimensions);
        copy.layerPattern = layerPattern;
        copy.tiedEmbeddings = tiedEmbeddings;
        copy.quantization = quantization;
        copy.details.putAll(details);
        copy.visionParameters = visionParameters;
        copy.audioParameters = audioParameters;
        copy.components.addAll(components);
        copy.doubt = doubt;
        if (statesLayers) {
            copy.layers.addAll(layers);
        }
        return copy;
    }

    /// A builder of architectures. Confined to one thread.
    public static final class ArchitectureBuilder {
        private Reading<String> family = Reading.unknown(UnknownReason.NOT_STATED);
        private ModelKind kind = ModelKind.TEXT_GENERATION;
        private final Map<ModelDimension, Reading<Long>> dimensions = new EnumMap<>(ModelDimension.class);
        private Reading<String> layerPattern = Reading.unknown(UnknownReason.NOT_STATED);
        private final List<ModelLayer> layers = new ArrayList<>();
        private final Map<String, List<Long>> details = new HashMap<>();
        private Reading<Long> visionParameters = Reading.unknown(UnknownReason.NOT_STATED);
        private Reading<Long> audioParameters = Reading.unknown(UnknownReason.NOT_STATED);
        private final List<ModelComponent> components = new ArrayList<>();
        private String doubt = "";
        private Reading<Boolean> tiedEmbeddings = Reading.unknown(UnknownReason.NOT_STATED);
        private Reading<ModelQuantization> quantization = Reading.unknown(UnknownReason.NOT_STATED);

        private ArchitectureBuilder() {}

        /// Sets the model's type.
        public ArchitectureBuilder family(String name, Provenance provenance) {
            family = Reading.known(name, provenance);
            return this;
        }

        /// Sets the task of the model; text generation if it is not set.
        ///
        /// @since 0.3
        public ArchitectureBuilder kind(ModelKind task) {
            kind = task;
            return this;
        }

        /// Sets a dimension.
        ///
        /// @throws IllegalArgumentException if it is negative
        public ArchitectureBuilder dimension(ModelDimension dimension, long value, Provenance provenance) {
            if (value < 0) {
                throw new IllegalArgumentException(dimension.label() + " is not negative: " + value);
            }
            dimensions.put(dimension, Reading.known(value, provenance));
            return this;
        }

        /// Removes a dimension.
        public ArchitectureBuilder without(ModelDimension dimension) {
            dimensions.remove(dimension);
            return this;
        }

        /// Marks a dimension that the source mentions as unknown.
        ///
        /// @param detail the exact problem, as text
        public ArchitectureBuilder unknown(ModelDimension dimension, UnknownReason reason, String detail) {
            dimensions.put(dimension, Reading.unknown(reason, detail));
            return this;
        }

        /// Reports whether a dimension has been set.
        public boolean has(ModelDimension dimension) {
            return find(dimension).isPresent();
        }

        /// Returns a dimension, if it has been set.
        public OptionalLong find(ModelDimension dimension) {
            return value(dimensions.get(dimension));
        }

        /// Sets the letter of each layer.
        ///
        /// @throws IllegalArgumentException if a letter stands for no layer
        public ArchitectureBuilder layerPattern(String letters, Provenance provenance) {
            letters.chars().forEach(letter -> LayerKind.ofLetter((char) letter));
            layerPattern = Reading.known(letters, provenance);
            return this;
        }

        /// Sets the layers, from the first to the last.
        public ArchitectureBuilder layers(List<ModelLayer> all) {
            layers.clear();
            layers.addAll(all);
            return this;
        }

        /// Sets the values of a name of the model's own family.
        public ArchitectureBuilder detail(String name, List<Long> values) {
            details.put(name, List.copyOf(values));
            return this;
        }

        /// Sets the number of parameters of the parts that read images.
        public ArchitectureBuilder visionParameters(Reading<Long> count) {
            visionParameters = count;
            return this;
        }

        /// Sets the number of parameters of the parts that read sound.
        ///
        /// @since 0.2
        public ArchitectureBuilder audioParameters(Reading<Long> count) {
            audioParameters = count;
            return this;
        }

        /// Adds a part.
        ///
        /// @since 0.3
        public ArchitectureBuilder component(ModelComponent part) {
            components.add(part);
            return this;
        }

        /// Records something that the source states and Muster does not understand; the first call counts.
        public ArchitectureBuilder doubt(String what) {
            doubt = doubt.isEmpty() ? what : doubt;
            return this;
        }

        /// Removes what was recorded as not understood.
        public ArchitectureBuilder withoutDoubt() {
            doubt = "";
            return this;
        }

        /// Sets whether input and output embedding are the same weights.
        public ArchitectureBuilder tiedEmbeddings(boolean tied, Provenance provenance) {
            tiedEmbeddings = Reading.known(tied, provenance);
            return this;
        }

        /// Sets the quantization of the weights.
        public ArchitectureBuilder quantization(ModelQuantization how, Provenance provenance) {
            quantization = Reading.known(how, provenance);
            return this;
        }

        /// Removes the quantization.
        public ArchitectureBuilder withoutQuantization() {
            quantization = Reading.unknown(UnknownReason.NOT_STATED);
            return this;
        }

        /// Builds the architecture.
        public ModelArchitecture build() {
            return new ModelArchitecture(this);
        }
    }
}
