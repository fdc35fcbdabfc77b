// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.ModelDimension.HEADS;
import static dev.muster.model.ModelDimension.HEAD_SIZE;
import static dev.muster.model.ModelDimension.HIDDEN_SIZE;
import static dev.muster.model.ModelDimension.KV_HEADS;
import static dev.muster.model.ModelDimension.KV_RANK;
import static dev.muster.model.ModelDimension.PLAIN_HEAD_SIZE;
import static dev.muster.model.ModelDimension.ROPE_HEAD_SIZE;
import static dev.muster.model.ModelDimension.SLIDING_WINDOW;
import static dev.muster.model.ModelDimension.VALUE_HEAD_SIZE;
import static dev.muster.model.ModelDimension.VOCABULARY;

import dev.muster.core.Provenance;
import dev.muster.core.UnknownReason;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.ModelQuantization;
import dev.muster.model.memory.GgufFormat;
import java.util.OptionalLong;

/// Derives the architecture of a model from the keys of its GGUF header. Confined to one thread.
final class GgufArchitecture {
    private final GgufMetadata metadata;
    private final Provenance stated;
    private final Provenance derived;
    private final ModelArchitecture.ArchitectureBuilder builder = ModelArchitecture.builder();

    private GgufArchitecture(GgufMetadata metadata, Provenance stated, Provenance derived) {
        this.metadata = metadata;
        this.stated = stated;
        this.derived = derived;
    }

    /// @param stated provenance of facts that the keys state
    /// @param derived provenance of facts that follow from them
    static ModelArchitecture.ArchitectureBuilder read(GgufMetadata metadata, Provenance stated, Provenance derived) {
        GgufArchitecture reader = new GgufArchitecture(metadata, stated, derived);
        metadata.findText(GgufMetadata.Key.ARCHITECTURE).ifPresent(reader::readFamily);
        reader.readVocabulary();
        reader.readQuantization();
        return reader.builder;
    }

    private void readFamily(String family) {
        builder.family(family, stated);
        GgufMetadata.Key.DIMENSIONS.forEach((dimension, ending) -> state(dimension, family + ending));
        if (count(family, KV_RANK).orElse(0) > 0) {
            readLatentHeads(family);
        } else {
            readHeads(family);
        }
    }

    private OptionalLong count(String family, ModelDimension dimension) {
        return metadata.findCount(family + GgufMetadata.Key.DIMENSIONS.get(dimension));
    }

    /// Adds a dimension, or the reason why it is unknown.
    private void state(ModelDimension dimension, String key) {
        GgufMetadata.Value value = metadata.find(key).orElse(null);
        if (value == null) {
            return;
        }
        OptionalLong count = metadata.findCount(key);
        if (count.isEmpty()) {
            boolean differs = value instanceof GgufMetadata.Value.Series;
            builder.unknown(
                    dimension,
                    differs ? UnknownReason.CONFLICTING : UnknownReason.UNREADABLE,
                    key + (differs ? " differs from layer to layer" : " is not a count"));
        } else if (dimension != SLIDING_WINDOW || count.getAsLong() > 0) {
            // A window of 0 means none.
            builder.dimension(dimension, count.getAsLong(), stated);
        }
    }

    private void readHeads(String family) {
        OptionalLong heads = count(family, HEADS);
        OptionalLong hidden = count(family, HIDDEN_SIZE);
        state(HEAD_SIZE, family + GgufMetadata.Key.KEY_LENGTH);
        if (metadata.find(family + GgufMetadata.Key.KEY_LENGTH).isEmpty() && divides(heads, hidden)) {
            builder.dimension(HEAD_SIZE, hidden.getAsLong() / heads.getAsLong(), derived);
        }
        OptionalLong values = metadata.findCount(family + GgufMetadata.Key.VALUE_LENGTH);
        if (values.isPresent() && !values.equals(metadata.findCount(family + GgufMetadata.Key.KEY_LENGTH))) {
            builder.dimension(VALUE_HEAD_SIZE, values.getAsLong(), stated);
        }
        // The format defines it: without the key every head has its own keys and values.
        if (metadata.find(family + GgufMetadata.Key.DIMENSIONS.get(KV_HEADS)).isEmpty() && heads.isPresent()) {
            builder.dimension(KV_HEADS, heads.getAsLong(), derived);
        }
    }

    private static boolean divides(OptionalLong heads, OptionalLong hidden) {
        return heads.orElse(0) > 0 && hidden.isPresent() && hidden.getAsLong() % heads.getAsLong() == 0;
    }

    /// Heads of latent attention. Files since 2025 hold the sizes of the compressed cache under the common keys and
    /// those of the heads under keys of their own; older ones hold the heads under the common keys.
    private void readLatentHeads(String family) {
        boolean own = metadata.find(family + GgufMetadata.Key.LATENT_KEY_LENGTH).isPresent();
        String keyLength = family + (own ? GgufMetadata.Key.LATENT_KEY_LENGTH : GgufMetadata.Key.KEY_LENGTH);
        state(HEAD_SIZE, keyLength);
        state(VALUE_HEAD_SIZE, family + (own ? GgufMetadata.Key.LATENT_VALUE_LENGTH : GgufMetadata.Key.VALUE_LENGTH));
        state(ROPE_HEAD_SIZE, family + GgufMetadata.Key.ROPE_LENGTH);
        OptionalLong key = metadata.findCount(keyLength);
        OptionalLong rope = metadata.findCount(family + GgufMetadata.Key.ROPE_LENGTH);
        if (key.isPresent() && rope.isPresent() && rope.getAsLong() <= key.getAsLong()) {
            builder.dimension(PLAIN_HEAD_SIZE, key.getAsLong() - rope.getAsLong(), derived);
        }
    }

    private void readVocabulary() {
        OptionalLong tokens = metadata.findLength(GgufMetadata.Key.TOKENS);
        if (!builder.has(VOCABULARY) && tokens.isPresent()) {
            builder.dimension(VOCABULARY, tokens.getAsLong(), derived);
        }
    }

    private void readQuantization() {
        OptionalLong id = metadata.findCount(GgufMetadata.Key.FILE_TYPE);
        if (id.isPresent()) {
            GgufFormat.find(id.getAsLong())
                    .filter(GgufFormat::isQuantized)
                    .ifPresent(type -> builder.quantization(ModelQuantization.of(type.name()), stated));
        }
    }
}
