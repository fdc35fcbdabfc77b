// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.model.checkpoint.CheckpointException.Code.UNKNOWN_FORMAT;

import dev.muster.core.Provenance;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.ModelKind;
import dev.muster.model.table.CsvRow;
import dev.muster.model.tensor.FamilyDefaults;
import dev.muster.model.tensor.FamilyLayers;
import dev.muster.model.tensor.ModelFamily;
import dev.muster.model.tensor.ModelTensors;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The `config.json` of Hugging Face Transformers: an architecture under the keys of some two hundred model types.
final class HuggingFaceConfig {
    static final String FILE = "config.json";

    /// The `text_config` section of multimodal models, by its keys.
    private static final List<String> TEXT_PARTS =
            List.of("text_config", "llm_config", "language_config", "thinker_config");

    private static final List<ModelDimension> NEVER_NONE =
            List.of(ModelDimension.LAYERS, ModelDimension.HIDDEN_SIZE, ModelDimension.HEADS, ModelDimension.VOCABULARY);
    static final Provenance STATED = Provenance.of(FILE, Provenance.Method.FILE, Provenance.Confidence.STATED);
    private static final Provenance DERIVED =
            Provenance.of(FILE, Provenance.Method.DERIVED, Provenance.Confidence.STATED);

    /// The provenance of a default of the model's own code, which the file leaves out.
    private static final Provenance DEFAULT =
            Provenance.of("default of the model family", Provenance.Method.CATALOGUE, Provenance.Confidence.ASSUMED);

    private final List<JsonObject> parts;
    private final JsonObject whole;
    private final JsonObject text;
    private final ModelArchitecture.ArchitectureBuilder builder = ModelArchitecture.builder();
    private final Map<ModelDimension, List<Long>> perLayer = new EnumMap<>(ModelDimension.class);
    private final Set<ModelDimension> none = EnumSet.noneOf(ModelDimension.class);
    private @Nullable ModelFamily family;
    private boolean understandsLayers;

    private HuggingFaceConfig(JsonObject whole) {
        this.parts = parts(whole);
        this.whole = whole;
        this.text = parts.getLast();
    }

    /// Parses the file's content.
    ///
    /// @throws CheckpointException if it is not JSON, or no object
    static HuggingFaceConfig parse(byte[] json) {
        return parse(json, FILE);
    }

    /// Parses the content of a file of another name, which has to state the model's type.
    ///
    /// @throws CheckpointException if it is not JSON, or no configuration
    static HuggingFaceConfig parse(byte[] json, String file) {
        HuggingFaceConfig config = of(object(json, file));
        if (!file.equals(FILE) && config.familyName().isEmpty() && !ConfigComponents.isDiffusers(config.whole)) {
            throw CheckpointException.of(UNKNOWN_FORMAT, file, "is not a model configuration: it has no model_type");
        }
        return config;
    }

    /// Parses an object.
    ///
    /// @throws CheckpointException if it is not JSON, or no object
    static JsonObject object(byte[] json, String file) {
        JsonValue value;
        try {
            value = JsonValue.parse(json);
        } catch (DocumentException first) {
            value = parsePython(json, file, first);
        }
        if (!(value instanceof JsonObject object)) {
            throw CheckpointException.of(MALFORMED, file, "is not a JSON object");
        }
        return object;
    }

    static HuggingFaceConfig of(JsonObject whole) {
        return new HuggingFaceConfig(whole);
    }

    /// Parses the words of Python for numbers that JSON cannot express.
    private static JsonValue parsePython(byte[] json, String file, DocumentException first) {
        try {
            return JsonValue.parse(PythonJson.plain(json));
        } catch (DocumentException _) {
            throw CheckpointException.of(MALFORMED, file, "cannot be read: " + first.getMessage());
        }
    }

    /// Returns the configuration and, last, its text section.
    private static List<JsonObject> parts(JsonObject whole) {
        List<JsonObject> parts = new ArrayList<>();
        for (Optional<JsonObject> part = Optional.of(whole); part.isPresent(); part = textPart(part.get())) {
            parts.add(part.get());
        }
        return parts;
    }

    private static Optional<JsonObject> textPart(JsonObject object) {
        for (String key : TEXT_PARTS) {
            if (object.members().get(key) instanceof JsonObject part) {
                return Optional.of(part);
            }
        }
        return Optional.empty();
    }

    ModelArchitecture architecture() {
        return ConfigComponents.isDiffusers(whole) ? ConfigComponents.pipeline(whole) : read();
    }

    private ModelArchitecture read() {
        String name = familyName();
        if (!name.isEmpty()) {
            builder.family(name, STATED);
            family = ModelFamily.find(name).orElse(null);
        }
        Map<String, String> defaults = FamilyDefaults.of(name);
        ConfigDetails.addTo(builder, parts, defaults);
        ConfigKeys.all().forEach(this::read);
        countLayers();
        refuseImpossible();
        tied(defaults);
        multiQuery();
        ConfigKeys.all().forEach((dimension, keys) -> readDefault(dimension, keys, defaults));
        if (family != null) {
            FamilyLayers.fill(family, builder, none);
        }
        heads();
        if (builder.find(ModelDimension.EXPERTS).orElse(0) > 0) {
            experts();
        }
        window();
        FamilyLayers layers = family == null ? null : FamilyLayers.of(family, builder.build());
        ConfigLayers.addTo(builder, text, layers, perLayer);
        understandsLayers = builder.build().doubt().isEmpty();
        if (family == null && !name.isEmpty()) {
            builder.doubt("the family '" + CsvRow.shown(name) + "' is not known, and so neither are its tensors");
        }
        ModelKind kind = ConfigKind.of(whole, name, hasEncoder());
        builder.kind(kind);
        if (ConfigKind.classifies(whole)) {
            long labels = whole.members().get("id2label") instanceof JsonObject named
                    ? named.members().size()
                    : number(whole, ModelTensors.LABELS).orElse(2);
            builder.detail(ModelTensors.LABELS, List.of(labels));
        }
        boolean isOfParts = kind != ModelKind.TEXT_GENERATION && !ConfigKind.isDecoder(whole);
        if (!(isOfParts && ConfigComponents.addTo(builder, whole)) && hasEncoder()) {
            builder.doubt("the model has an encoder beside its decoder, which is not counted");
        }
        ConfigSenses.addTo(builder, parts);
        ConfigQuantization.find(whole)
                .or(() -> ConfigQuantization.find(text))
                .ifPresent(quantization -> builder.quantization(quantization, STATED));
        return builder.build();
    }

    /// Reports whether the tensors of the family are all that is not understood.
    boolean understandsLayers() {
        return understandsLayers;
    }

    /// Adds the defaults of the family's own code; the number of layers and their width are never guessed.
    private void readDefault(ModelDimension dimension, List<String> keys, Map<String, String> defaults) {
        boolean isBasic = dimension == ModelDimension.LAYERS || dimension == ModelDimension.HIDDEN_SIZE;
        if (isBasic || none.contains(dimension) || builder.has(dimension)) {
            return;
        }
        for (String key : keys) {
            String value = defaults.getOrDefault(key, defaults.get("attn_config." + key));
            if (value != null) {
                long number = Long.parseLong(value);
                if (number > 0) {
                    builder.dimension(dimension, number, DEFAULT);
                }
                return;
            }
        }
    }

    /// Counts the listed layers, if their number is not stated.
    private void countLayers() {
        for (String key : List.of("layers_block_type", "layer_types", "block_configs")) {
            if (text.members().get(key) instanceof JsonArray(List<JsonValue> items)
                    && !items.isEmpty()
                    && !builder.has(ModelDimension.LAYERS)
                    && family != null) {
                builder.dimension(ModelDimension.LAYERS, items.size(), DERIVED);
            }
        }
        if (text.members().get("hybrid_override_pattern") instanceof JsonString(String letters)
                && !letters.isEmpty()
                && !builder.has(ModelDimension.LAYERS)) {
            builder.dimension(ModelDimension.LAYERS, letters.length(), DERIVED);
        }
    }

    /// Reports whether there is an encoder beside the decoder; the saved class may say that there is only the latter.
    private boolean hasEncoder() {
        boolean said = flag(whole, "is_encoder_decoder")
                .or(() -> flag(text, "is_encoder_decoder"))
                .orElse(false);
        return said && !ConfigKind.isDecoder(whole);
    }

    /// Returns the type of the text section, or else that of the whole with the ending of text sections.
    private String familyName() {
        Optional<String> own = string(text, "model_type").filter(name -> !name.isEmpty());
        if (own.isPresent()) {
            return own.get();
        }
        String outer = string(whole, "model_type").orElse("");
        return parts.size() > 1 && ModelFamily.find(outer + "_text").isPresent() ? outer + "_text" : outer;
    }

    /// Reads a dimension, one for each layer, or that there is none.
    private void read(ModelDimension dimension, List<String> keys) {
        for (JsonObject part : List.of(text, part("attn_config"), part("ffn_config"))) {
            for (String key : keys) {
                JsonValue value = part.members().get(key);
                if (value instanceof JsonNull) {
                    none.add(dimension);
                }
                if (value instanceof JsonArray(List<JsonValue> items) && !items.isEmpty() && isNumbers(items)) {
                    readList(dimension, items);
                    return;
                }
                OptionalLong number = number(part, key);
                if (number.isPresent()) {
                    builder.dimension(dimension, number.getAsLong(), STATED);
                    return;
                }
            }
        }
    }

    private static boolean isNumbers(List<JsonValue> items) {
        for (JsonValue item : items) {
            if (!(item instanceof JsonNumber number
                    && number.isWhole()
                    && number.text().length() <= 18
                    && !number.text().startsWith("-"))) {
                return false;
            }
        }
        return true;
    }

    /// Reads a dimension of each layer; if all are the same, it is that of the model.
    private void readList(ModelDimension dimension, List<JsonValue> items) {
        List<Long> values = new ArrayList<>();
        for (JsonValue item : items) {
            values.add(Long.parseLong(((JsonNumber) item).text()));
        }
        // In some families a list of flags names the layers with experts; their formulas read it.
        if (dimension == ModelDimension.EXPERT_LAYER_STEP) {
            return;
        }
        builder.dimension(dimension, values.getFirst(), STATED);
        if (values.stream().distinct().count() > 1) {
            perLayer.put(dimension, values);
        }
    }

    /// Refuses impossible values at once: counting with them would fail elsewhere.
    private void refuseImpossible() {
        for (ModelDimension dimension : NEVER_NONE) {
            String key = statedKey(dimension);
            boolean isNegative = text.members().get(key) instanceof JsonNumber number
                    && number.text().startsWith("-");
            if (isNegative || builder.find(dimension).orElse(1) == 0) {
                throw CheckpointException.of(
                        MALFORMED,
                        FILE,
                        "says that the model has " + (isNegative ? "less than 0" : "0") + " as " + key
                                + "; there is at least 1");
            }
        }
        long experts = builder.find(ModelDimension.EXPERTS).orElse(0);
        long active = builder.find(ModelDimension.ACTIVE_EXPERTS).orElse(0);
        if (experts > 0 && active > experts) {
            throw CheckpointException.of(
                    MALFORMED, FILE, "sends each token to " + active + " experts, and has " + experts);
        }
    }

    private String statedKey(ModelDimension dimension) {
        for (String key : ConfigKeys.of(dimension)) {
            if (text.members().containsKey(key)) {
                return key;
            }
        }
        return dimension.label();
    }

    /// Sets a dimension that the file leaves out.
    private void fill(ModelDimension dimension, OptionalLong value) {
        if (!builder.has(dimension) && value.isPresent()) {
            builder.dimension(dimension, value.getAsLong(), DERIVED);
        }
    }

    /// Reads the flag by which Falcon and StarCoder state a single KV head.
    private void multiQuery() {
        if (flag(text, "multi_query").orElse(false)
                && !flag(text, "new_decoder_architecture").orElse(false)) {
            builder.dimension(ModelDimension.KV_HEADS, 1, STATED);
        }
    }

    /// Sets the KV heads to the query heads if they are not stated.
    private void heads() {
        OptionalLong heads = builder.find(ModelDimension.HEADS);
        OptionalLong hidden = builder.find(ModelDimension.HIDDEN_SIZE);
        fill(ModelDimension.KV_HEADS, heads);
        if (!builder.has(ModelDimension.KV_RANK)
                && hidden.isPresent()
                && heads.orElse(0) > 0
                && hidden.getAsLong() % heads.getAsLong() == 0) {
            fill(ModelDimension.HEAD_SIZE, OptionalLong.of(hidden.getAsLong() / heads.getAsLong()));
        }
    }

    /// Removes a window that is switched off; one layer in so many may look further.
    private void window() {
        if (!flag(text, "use_sliding_window").orElse(true)) {
            builder.without(ModelDimension.SLIDING_WINDOW);
        }
        boolean listed = false;
        if (text.members().get("layer_types") instanceof JsonArray(List<JsonValue> kinds)) {
            listed = true;
            if (!kinds.isEmpty() && kinds.stream().allMatch(new JsonString("full_attention")::equals)) {
                builder.without(ModelDimension.SLIDING_WINDOW);
            }
        }
        for (String key : List.of("sliding_window_pattern", "full_attention_interval")) {
            OptionalLong step = number(text, key);
            if (!listed && step.isPresent() && !builder.has(ModelDimension.FULL_ATTENTION_STEP)) {
                builder.dimension(ModelDimension.FULL_ATTENTION_STEP, step.getAsLong(), STATED);
            }
        }
    }

    /// Gives experts the width of a dense layer, as in Mixtral, gpt-oss and others.
    private void experts() {
        fill(ModelDimension.EXPERT_FEED_FORWARD_SIZE, builder.find(ModelDimension.FEED_FORWARD_SIZE));
        OptionalLong shared = builder.find(ModelDimension.SHARED_EXPERTS);
        OptionalLong expert = builder.find(ModelDimension.EXPERT_FEED_FORWARD_SIZE);
        if (shared.isPresent() && expert.isPresent()) {
            OptionalLong together = OptionalLong.of(shared.getAsLong() * expert.getAsLong());
            fill(ModelDimension.SHARED_FEED_FORWARD_SIZE, together);
        }
    }

    private void tied(Map<String, String> defaults) {
        Optional<Boolean> said = flag(whole, "tie_word_embeddings").or(() -> flag(text, "tie_word_embeddings"));
        if (said.isPresent()) {
            builder.tiedEmbeddings(said.get(), STATED);
        } else if (defaults.containsKey("tie_word_embeddings")) {
            builder.tiedEmbeddings("1".equals(defaults.get("tie_word_embeddings")), DEFAULT);
        }
    }

    private JsonObject part(String key) {
        return text.members().get(key) instanceof JsonObject part ? part : new JsonObject(Map.of());
    }

    static OptionalLong number(JsonObject object, String key) {
        if (object.members().get(key) instanceof JsonNumber number
                && number.isWhole()
                && number.text().length() <= 18) {
            long value = Long.parseLong(number.text());
            return value >= 0 ? OptionalLong.of(value) : OptionalLong.empty();
        }
        return OptionalLong.empty();
    }

    static Optional<Boolean> flag(JsonObject object, String key) {
        return object.members().get(key) instanceof JsonBoolean(boolean value) ? Optional.of(value) : Optional.empty();
    }

    static Optional<String> string(JsonObject object, String key) {
        return object.members().get(key) instanceof JsonString(String value)
                ? Optional.of(value.toLowerCase(Locale.ROOT))
                : Optional.empty();
    }
}
