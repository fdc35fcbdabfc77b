package dev.muster.cli.model;

import dev.muster.cli.render.Quantity;
import dev.muster.core.Reading;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.memory.KvCache;
import dev.muster.plan.model.ModelArchitecture;
import dev.muster.plan.model.ModelDimension;
import dev.muster.plan.model.ModelQuantization;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// A model's architecture in words and in JSON.
final class ArchitectureText {
    private static final int CACHE_BYTES = 2;
    private static final long SHORT_CONTEXT = 8192;
    private static final long KIB = 1024;

    private ArchitectureText() {}

    /// All that is known, in a line; empty where nothing is.
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
        lines.add("architecture", text.isEmpty() ? "not known: the source does not say" : text);
        architecture.quantization().find().ifPresent(how -> lines.add("quantization", of(how)));
        architecture.find(ModelDimension.CONTEXT).ifPresent(tokens -> lines.add("context", tokens + " tokens"));
        lines.add("KV cache", KvCache.of(architecture, CACHE_BYTES), cache -> of(cache, architecture));
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

    static JsonValue json(ModelArchitecture architecture) {
        JsonObject.Builder object = JsonObject.builder();
        architecture.family().find().ifPresent(family -> object.put("family", family));
        for (ModelDimension dimension : ModelDimension.values()) {
            architecture.find(dimension).ifPresent(value -> object.put(dimension.key(), value));
        }
        architecture.layerPattern().find().ifPresent(letters -> object.put("layerPattern", letters));
        architecture.tiedEmbeddings().find().ifPresent(tied -> object.put("tiedEmbeddings", tied));
        architecture.quantization().find().ifPresent(how -> object.put("quantization", json(how)));
        Reading<KvCache> cache = KvCache.of(architecture, CACHE_BYTES);
        cache.find().ifPresent(kv -> object.put("kvCacheBytesPerToken", Quantity.json(kv.perToken())));
        return object.build();
    }

    private static JsonValue json(ModelQuantization how) {
        JsonObject.Builder object = JsonObject.builder().put("method", how.method());
        how.bits().ifPresent(bits -> object.put("bits", bits));
        how.groupSize().ifPresent(size -> object.put("groupSize", size));
        return object.build();
    }
}
