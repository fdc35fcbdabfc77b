// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.model.LayerKind.Block;
import dev.muster.model.LayerKind.Mixer;
import dev.muster.model.LayerKinds;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.ModelQuantization;
import dev.muster.model.memory.KvCache;
import dev.muster.report.text.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// A model's architecture as text.
final class ArchitectureText {
    private static final int CACHE_BYTES = 2;
    private static final long SHORT_CONTEXT = 8192;
    private static final long KIB = 1024;

    private ArchitectureText() {}

    /// Returns all that is known, in a line; empty if nothing is.
    static String of(ModelArchitecture architecture) {
        List<String> parts = new ArrayList<>();
        architecture.family().find().ifPresent(parts::add);
        for (ModelDimension dimension : ModelDimension.values()) {
            OptionalLong value = architecture.find(dimension);
            if (value.isPresent() && dimension != ModelDimension.CONTEXT) {
                parts.add(dimension.label() + " " + value.getAsLong());
            }
        }
        architecture.layerPattern().find().ifPresent(letters -> parts.add("layers are " + letters));
        architecture
                .tiedEmbeddings()
                .find()
                .ifPresent(tied -> parts.add(tied ? "tied embeddings" : "separate output embedding"));
        return String.join(", ", parts);
    }

    static void addTo(FactLines lines, ModelArchitecture architecture) {
        String text = of(architecture);
        lines.add("architecture", text.isEmpty() ? "unknown: not stated by the source" : text);
        if (!architecture.layers().isEmpty() && architecture.doubt().isEmpty()) {
            lines.add("layers", layers(architecture));
        }
        addSense(lines, "vision", architecture.visionParameters());
        addSense(lines, "audio", architecture.audioParameters());
        architecture.quantization().find().ifPresent(how -> lines.add("quantization", of(how)));
        architecture.find(ModelDimension.CONTEXT).ifPresent(tokens -> lines.add("context", tokens + " tokens"));
        lines.add("KV cache", KvCache.of(architecture, CACHE_BYTES), cache -> of(cache, architecture));
    }

    /// Returns the number of layers of each kind, such as `12 full, 36 state, 48 of them with experts`.
    private static String layers(ModelArchitecture architecture) {
        LayerKinds layers = LayerKinds.of(architecture);
        List<String> parts = new ArrayList<>();
        for (Mixer mixer : Mixer.values()) {
            long count = layers.count(mixer);
            if (count > 0) {
                parts.add(count + " " + (mixer == Mixer.NONE ? "without attention" : mixer.label()));
            }
        }
        long experts = layers.count(Block.EXPERTS);
        if (experts > 0) {
            parts.add(experts + " of them with experts");
        }
        return String.join(", ", parts);
    }

    /// Adds a part that reads images or sound, if the model has one.
    private static void addSense(FactLines lines, String sense, Reading<Long> parameters) {
        boolean isThere = parameters.isKnown()
                || (parameters instanceof Reading.Unknown<Long>(var _, String detail) && !detail.isEmpty());
        if (isThere) {
            lines.add(sense, parameters, count -> CheckpointText.parameters(count) + ", counted among the parameters");
        }
    }

    private static String of(ModelQuantization how) {
        return how.method()
                + (how.bits().isPresent() ? ", " + how.bits().getAsInt() + " bits" : "")
                + (how.groupSize().isPresent()
                        ? ", groups of " + how.groupSize().getAsInt()
                        : "");
    }

    private static String of(KvCache cache, ModelArchitecture architecture) {
        StringBuilder text = new StringBuilder(perToken(cache.perToken())).append(" a token at 16 bits: ");
        long whole = architecture.find(ModelDimension.CONTEXT).orElse(SHORT_CONTEXT);
        if (whole > SHORT_CONTEXT) {
            text.append(Quantity.of(cache.ofTokens(SHORT_CONTEXT))).append(" at " + SHORT_CONTEXT + " tokens, ");
        }
        return text.append(Quantity.of(cache.ofTokens(whole)))
                .append(" at ")
                .append(whole)
                .append(" tokens")
                .toString();
    }

    private static String perToken(Bytes bytes) {
        long count = bytes.unsigned();
        return count % KIB == 0 ? count / KIB + " KiB" : count + " bytes";
    }
}
