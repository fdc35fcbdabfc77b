// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.unit.Bytes;
import dev.muster.model.LayerKind;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.ModelLayer;
import dev.muster.model.ModelQuantization;
import dev.muster.model.ModelSummary;
import dev.muster.model.Tensor;
import dev.muster.model.catalogue.ModelEntry;
import dev.muster.model.catalogue.ModelUse;
import dev.muster.model.checkpoint.Checkpoint;
import dev.muster.model.memory.KvCache;
import dev.muster.plan.Planner;
import dev.muster.plan.catalogue.InstanceOffer;
import dev.muster.plan.catalogue.OfferChoice;
import dev.muster.plan.catalogue.OfferRequest;
import dev.muster.plan.catalogue.PriceCatalogue.PriceAge;
import dev.muster.plan.serving.FormatFit;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Documents of models: kinds `models`, `checkpoint` and `cost`. docs/schema describes them.
///
/// @since 0.1
public final class ModelDocument {
    /// Bytes of a number in the KV cache.
    private static final int CACHE_BYTES = 2;

    private static final double PERCENT = 100;

    private ModelDocument() {}

    /// Returns the models of a catalogue, and their fit on devices: kind `models`.
    ///
    /// @param fits fit of each model; empty without devices
    public static JsonValue models(List<ModelEntry> entries, List<FormatFit> fits) {
        List<JsonValue> models = new ArrayList<>();
        for (int at = 0; at < entries.size(); at++) {
            models.add(model(entries.get(at), fits.isEmpty() ? Optional.empty() : Optional.of(fits.get(at))));
        }
        return JsonObject.document("models").put("models", models).build();
    }

    private static JsonValue model(ModelEntry entry, Optional<FormatFit> fit) {
        JsonObject.ObjectBuilder object = JsonObject.builder()
                .put("name", entry.id())
                .put("repository", notEmpty(entry.repository()), JsonString::new);
        if (!entry.aliases().isEmpty()) {
            object.put("aliases", entry.aliases(), JsonString::new);
        }
        object.put("kind", entry.kind().label())
                .put("released", notEmpty(entry.released()), JsonString::new)
                .put("licence", notEmpty(entry.licence()), JsonString::new);
        if (!entry.inputs().isEmpty()) {
            object.put("inputs", entry.inputs(), JsonString::new);
        }
        if (!entry.variants().isEmpty()) {
            object.put("formats", entry.variants(), JsonString::new);
        }
        Facts facts = new Facts(object);
        facts.put("parameters", entry.parameters(), JsonNumber::of);
        facts.put("activeParameters", entry.activeParameters(), JsonNumber::of);
        object.put("architecture", architecture(entry.architecture()));
        JsonObject.ObjectBuilder scores = JsonObject.builder();
        boolean isScored = false;
        for (ModelUse use : ModelUse.values()) {
            Optional<ModelUse.Score> score = use.findScore(entry);
            score.ifPresent(one -> scores.put(use.label(), score(one)));
            isScored |= score.isPresent();
        }
        if (isScored) {
            object.put("scores", scores.build());
        }
        object.put("fit", fit, ModelDocument::fit);
        object.put("source", entry.source())
                .put("date", entry.date().toString())
                .put("note", notEmpty(entry.note()), JsonString::new);
        facts.finish();
        return object.build();
    }

    private static JsonValue score(ModelUse.Score score) {
        return JsonObject.builder()
                .put("score", score.value())
                .put("benchmark", score.benchmark())
                .put("source", score.source())
                .put("date", score.date().toString())
                .build();
    }

    private static Optional<String> notEmpty(String text) {
        return Optional.of(text).filter(known -> !known.isEmpty());
    }

    private static JsonValue fit(FormatFit fit) {
        return JsonObject.builder()
                .put("format", fit.format().label())
                .put("engine", fit.software().label())
                .put("weightBytes", bytes(fit.weights()))
                .put("contextTokens", fit.tokensAlone())
                .put("contextIsWhole", fit.tokensAlone() == fit.mostTokens())
                .put("plan", ServingDocument.plan(fit.plan().orElseThrow()))
                .build();
    }

    /// Returns the facts of model files: kind `checkpoint`.
    public static JsonValue checkpoint(Checkpoint checkpoint) {
        return start(checkpoint).build();
    }

    /// Returns the facts of model files, with every tensor: kind `checkpoint`.
    public static JsonValue checkpoint(Checkpoint checkpoint, List<Tensor> tensors) {
        return start(checkpoint)
                .put("tensorList", tensors, ModelDocument::tensor)
                .build();
    }

    private static JsonObject.ObjectBuilder start(Checkpoint checkpoint) {
        JsonObject.ObjectBuilder object = JsonObject.document("checkpoint");
        Facts facts = new Facts(object);
        facts.put("name", checkpoint.name(), JsonString::new);
        facts.put("format", checkpoint.format(), format -> new JsonString(format.text()));
        facts.put("formatVersion", checkpoint.formatVersion(), JsonNumber::of);
        facts.put("parameters", checkpoint.parameters(), JsonNumber::of);
        facts.put("tensors", checkpoint.tensors(), JsonNumber::of);
        facts.put("weightBytes", checkpoint.weightBytes(), ModelDocument::bytes);
        object.put("fileBytes", bytes(checkpoint.fileBytes()));
        object.put("files", checkpoint.files(), ModelDocument::file);
        object.put("types", checkpoint.types(), ModelDocument::type);
        object.put("architecture", architecture(checkpoint.architecture()));
        facts.finish();
        return object;
    }

    private static JsonValue file(Checkpoint.File file) {
        return JsonObject.builder()
                .put("name", file.name())
                .put("sizeBytes", bytes(file.size()))
                .build();
    }

    private static JsonValue type(Checkpoint.TypeShare share) {
        return JsonObject.builder()
                .put("type", share.type().name())
                .put("bitsPerElement", share.type().bitsPerElement())
                .put("tensors", share.tensors())
                .put("elements", share.elements())
                .put("bytes", bytes(share.bytes()))
                .build();
    }

    private static JsonValue tensor(Tensor tensor) {
        return JsonObject.builder()
                .put("name", tensor.name())
                .put("type", tensor.type().name())
                .put("shape", tensor.shape(), JsonNumber::of)
                .put("elements", tensor.elements())
                .put("bytes", bytes(Bytes.of(tensor.bytes())))
                .put("file", tensor.file())
                .put("offset", tensor.offset())
                .build();
    }

    private static JsonValue architecture(ModelArchitecture architecture) {
        JsonObject.ObjectBuilder object = JsonObject.builder();
        architecture.family().find().ifPresent(family -> object.put("family", family));
        for (ModelDimension dimension : ModelDimension.values()) {
            architecture.find(dimension).ifPresent(value -> object.put(dimension.key(), value));
        }
        architecture.layerPattern().find().ifPresent(letters -> object.put("layerPattern", letters));
        if (!architecture.layers().isEmpty() && architecture.doubt().isEmpty()) {
            object.put("layerKinds", layerKinds(architecture));
        }
        sense(object, "vision", architecture.visionParameters());
        sense(object, "audio", architecture.audioParameters());
        if (!architecture.doubt().isEmpty()) {
            object.put("notUnderstood", architecture.doubt());
        }
        architecture.tiedEmbeddings().find().ifPresent(tied -> object.put("tiedEmbeddings", tied));
        architecture.quantization().find().ifPresent(how -> object.put("quantization", quantization(how)));
        Reading<KvCache> cache = KvCache.of(architecture, CACHE_BYTES);
        cache.find().ifPresent(kv -> object.put("kvCacheBytesPerToken", bytes(kv.perToken())));
        return object.build();
    }

    /// Puts the parameters of a part that reads images or sound, or the reason why they are unknown.
    private static void sense(JsonObject.ObjectBuilder object, String name, Reading<Long> parameters) {
        switch (parameters) {
            case Reading.Known<Long>(Long count, var _) -> object.put(name + "Parameters", count);
            case Reading.Unknown<Long>(var _, String detail)
            when !detail.isEmpty() -> object.put(name + "Unknown", detail);
            case Reading.Unknown<Long> _ -> {
                // The model has no such part.
            }
        }
    }

    private static List<JsonValue> layerKinds(ModelArchitecture architecture) {
        Map<LayerKind, Long> counts = new LinkedHashMap<>();
        for (ModelLayer layer : architecture.layers()) {
            counts.merge(layer.kind(), 1L, Long::sum);
        }
        List<JsonValue> kinds = new ArrayList<>();
        counts.forEach((kind, count) -> kinds.add(JsonObject.builder()
                .put("attention", kind.mixer().label())
                .put("block", kind.block().label())
                .put("layers", count)
                .build()));
        return kinds;
    }

    private static JsonValue quantization(ModelQuantization how) {
        JsonObject.ObjectBuilder object = JsonObject.builder().put("method", how.method());
        how.bits().ifPresent(bits -> object.put("bits", bits));
        how.groupSize().ifPresent(size -> object.put("groupSize", size));
        return object.build();
    }

    /// Returns rented machines that hold a model, the cheapest first, which is the recommended one: kind `cost`.
    ///
    /// @param request requirements of the machines
    /// @param choices the machines to list, of those that [Planner#cost] found
    /// @param fitting number of machines found
    /// @param today current day
    public static JsonValue cost(
            ModelSummary model, OfferRequest request, List<OfferChoice> choices, int fitting, LocalDate today) {
        List<JsonValue> offers = new ArrayList<>();
        for (OfferChoice choice : choices) {
            offers.add(offer(choice, offers.isEmpty(), today));
        }
        JsonObject.ObjectBuilder object = JsonObject.document("cost")
                .put("model", model.name())
                .put("parameters", model.parameters().find(), JsonNumber::of)
                .put("quantization", request.level().text())
                .put("purchase", request.purchase().text())
                .put("neededBytes", bytes(request.needed()))
                .put("fitting", fitting)
                .put("offers", offers);
        if (!choices.isEmpty()) {
            object.put("prices", age(PriceAge.of(OfferChoice.offers(choices), today)));
        }
        return object.build();
    }

    static JsonValue age(PriceAge age) {
        return JsonObject.builder()
                .put("oldest", age.oldest().toString())
                .put("newest", age.newest().toString())
                .put("ageDays", age.days())
                .put("areStale", age.isStale())
                .build();
    }

    private static JsonValue offer(OfferChoice choice, boolean isChosen, LocalDate today) {
        return offer(choice.offer(), today)
                .put("usableMemoryBytes", bytes(choice.usable()))
                .put("headroomRatio", choice.headroomPercent() / PERCENT)
                .put("usdPerHour", new JsonNumber(choice.price().toString()))
                .put("chosen", isChosen)
                .build();
    }

    /// Returns the facts of an offer, for further members.
    static JsonObject.ObjectBuilder offer(InstanceOffer offer, LocalDate today) {
        return JsonObject.builder()
                .put("instance", offer.instance())
                .put("provider", offer.provider().text())
                .put("region", offer.region())
                .put("accelerator", offer.accelerator())
                .put("accelerators", offer.count())
                .put("interconnect", offer.interconnect())
                .put("priceDate", offer.date().toString())
                .put("priceSource", offer.source())
                .put("priceIsStale", offer.isStale(today));
    }

    private static JsonNumber bytes(Bytes amount) {
        return new JsonNumber(amount.toString());
    }

    /// The facts of an object: known ones under their key, with their provenance and the reasons for missing ones
    /// beside.
    private static final class Facts {
        private final JsonObject.ObjectBuilder object;
        private final JsonObject.ObjectBuilder sources = JsonObject.builder();
        private final JsonObject.ObjectBuilder unknown = JsonObject.builder();
        private boolean anySource;
        private boolean anyUnknown;

        Facts(JsonObject.ObjectBuilder object) {
            this.object = object;
        }

        <T> void put(String key, Reading<T> fact, Function<T, JsonValue> json) {
            switch (fact) {
                case Reading.Known<T>(T value, Provenance from) -> {
                    object.put(key, json.apply(value));
                    sources.put(
                            key,
                            JsonObject.builder()
                                    .put("source", from.source())
                                    .put("method", from.method().text())
                                    .put("confidence", from.confidence().text())
                                    .build());
                    anySource = true;
                }
                case Reading.Unknown<T>(var reason, String detail) -> {
                    JsonObject.ObjectBuilder why = JsonObject.builder().put("reason", reason.text());
                    if (!detail.isEmpty()) {
                        why.put("detail", detail);
                    }
                    unknown.put(key, why.build());
                    anyUnknown = true;
                }
            }
        }

        /// Adds the collected facts.
        void finish() {
            if (anySource) {
                object.put("provenance", sources.build());
            }
            if (anyUnknown) {
                object.put("unknown", unknown.build());
            }
        }
    }
}
