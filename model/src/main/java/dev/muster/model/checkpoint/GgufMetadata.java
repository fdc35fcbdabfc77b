// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.DUPLICATE;
import static dev.muster.model.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.model.checkpoint.CheckpointException.Code.TOO_LARGE;

import dev.muster.model.ModelDimension;
import dev.muster.model.checkpoint.GgufInput.ValueType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The values of a GGUF header that describe the architecture. Immutable.
record GgufMetadata(Map<String, Value> values) {
    GgufMetadata {
        values = Map.copyOf(values);
    }

    /// Returns the smallest size of a key with its value: a length, one letter, a type and one byte.
    static int entryBytes(GgufInput input) {
        return input.countBytes() + 1 + Integer.BYTES + 1;
    }

    static GgufMetadata read(GgufInput input, long entries) {
        Reader reader = new Reader(input);
        for (long entry = 0; entry < entries; entry++) {
            reader.readEntry();
        }
        return new GgufMetadata(reader.kept);
    }

    Optional<Value> find(String key) {
        return Optional.ofNullable(values.get(key));
    }

    Optional<String> findText(String key) {
        return values.get(key) instanceof Value.Text text ? Optional.of(text.text()) : Optional.empty();
    }

    /// Returns an integer from 0 on, or the one that all elements of an array equal.
    OptionalLong findCount(String key) {
        Value value = values.get(key);
        if (value instanceof Value.Whole whole && whole.value() >= 0) {
            return OptionalLong.of(whole.value());
        }
        return value instanceof Value.Series series && series.common().orElse(-1) >= 0
                ? series.common()
                : OptionalLong.empty();
    }

    OptionalLong findLength(String key) {
        return values.get(key) instanceof Value.Series series ? OptionalLong.of(series.length()) : OptionalLong.empty();
    }

    /// A value of a GGUF header, as far as it is kept.
    sealed interface Value {
        /// A value that says nothing about a model's size: a fraction, a boolean, a long text.
        Value OTHER = new Other();

        /// An integer; an unsigned one past 2^63-1 appears negative.
        record Whole(ValueType type, long value) implements Value {}

        /// A text.
        record Text(String text) implements Value {}

        /// An array.
        ///
        /// @param length number of elements
        /// @param common the integer that all of them equal; empty if they differ, there are none or they are
        /// of another type
        record Series(long length, OptionalLong common) implements Value {}

        /// See [#OTHER].
        record Other() implements Value {}
    }

    /// The keys of a GGUF header whose values are kept.
    static final class Key {
        static final String ARCHITECTURE = "general.architecture";
        static final String NAME = "general.name";
        static final String FILE_TYPE = "general.file_type";
        static final String ALIGNMENT = "general.alignment";
        static final String TOKENS = "tokenizer.ggml.tokens";
        static final String SPLIT_NUMBER = "split.no";
        static final String SPLIT_COUNT = "split.count";
        static final String SPLIT_TENSORS = "split.tensors.count";

        /// Widths of heads, behind the architecture's name: one thing with latent attention and another without.
        static final String KEY_LENGTH = ".attention.key_length";

        static final String VALUE_LENGTH = ".attention.value_length";
        static final String LATENT_KEY_LENGTH = ".attention.key_length_mla";
        static final String LATENT_VALUE_LENGTH = ".attention.value_length_mla";
        static final String ROPE_LENGTH = ".rope.dimension_count";

        /// Dimensions that mean the same in every architecture, behind its name.
        static final Map<ModelDimension, String> DIMENSIONS = dimensions();

        /// The longest key that is kept; the longest of llama.cpp has some 60 bytes.
        private static final int KEPT_BYTES = 128;

        private static final Set<String> WHOLE =
                Set.of(ARCHITECTURE, NAME, FILE_TYPE, ALIGNMENT, TOKENS, SPLIT_NUMBER, SPLIT_COUNT, SPLIT_TENSORS);

        private static final List<String> ENDINGS = endings();

        private Key() {}

        private static Map<ModelDimension, String> dimensions() {
            Map<ModelDimension, String> keys = new EnumMap<>(ModelDimension.class);
            keys.put(ModelDimension.LAYERS, ".block_count");
            keys.put(ModelDimension.HIDDEN_SIZE, ".embedding_length");
            keys.put(ModelDimension.HEADS, ".attention.head_count");
            keys.put(ModelDimension.KV_HEADS, ".attention.head_count_kv");
            keys.put(ModelDimension.FEED_FORWARD_SIZE, ".feed_forward_length");
            keys.put(ModelDimension.VOCABULARY, ".vocab_size");
            keys.put(ModelDimension.CONTEXT, ".context_length");
            keys.put(ModelDimension.SLIDING_WINDOW, ".attention.sliding_window");
            keys.put(ModelDimension.EXPERTS, ".expert_count");
            keys.put(ModelDimension.ACTIVE_EXPERTS, ".expert_used_count");
            keys.put(ModelDimension.SHARED_EXPERTS, ".expert_shared_count");
            keys.put(ModelDimension.EXPERT_FEED_FORWARD_SIZE, ".expert_feed_forward_length");
            keys.put(ModelDimension.SHARED_FEED_FORWARD_SIZE, ".expert_shared_feed_forward_length");
            keys.put(ModelDimension.DENSE_LAYERS, ".leading_dense_block_count");
            keys.put(ModelDimension.EXPERT_LAYER_STEP, ".interleave_moe_layer_step");
            keys.put(ModelDimension.KV_RANK, ".attention.kv_lora_rank");
            keys.put(ModelDimension.QUERY_RANK, ".attention.q_lora_rank");
            return keys;
        }

        private static List<String> endings() {
            List<String> all = new ArrayList<>(DIMENSIONS.values());
            all.addAll(List.of(KEY_LENGTH, VALUE_LENGTH, LATENT_KEY_LENGTH, LATENT_VALUE_LENGTH, ROPE_LENGTH));
            return all;
        }

        /// Returns the key as a text if its value is kept, else null. Keys are told by their ends: the architecture
        /// that they begin with may be named after them.
        static @Nullable String kept(byte[] key) {
            if (key.length > KEPT_BYTES) {
                return null;
            }
            String text = new String(key, StandardCharsets.UTF_8);
            boolean kept = WHOLE.contains(text);
            for (int at = 0; at < ENDINGS.size() && !kept; at++) {
                kept = text.endsWith(ENDINGS.get(at));
            }
            return kept ? text : null;
        }
    }

    /// A reader of the keys and values of a GGUF header, which keeps the few that describe the model and skips
    /// vocabularies and templates. Confined to one thread.
    private static final class Reader {
        /// The longest text that is kept.
        private static final int KEPT_TEXT_BYTES = 1 << 16;

        private final GgufInput input;
        private final Set<Long> names = new HashSet<>();
        private final Map<String, Value> kept = new HashMap<>();

        private Reader(GgufInput input) {
            this.input = input;
        }

        private void readEntry() {
            byte[] name = input.readName();
            if (name.length == 0) {
                throw input.error(MALFORMED, "a key is empty");
            }
            if (!names.add(NameHash.of(name))) {
                throw input.error(DUPLICATE, "the key '" + new String(name, StandardCharsets.UTF_8) + "' occurs twice");
            }
            String key = Key.kept(name);
            ValueType type = input.readValueType();
            if (key == null) {
                skip(type, 0);
            } else {
                kept.put(key, readValue(type));
            }
        }

        private Value readValue(ValueType type) {
            return switch (type) {
                case UINT8, INT8, UINT16, INT16, UINT32, INT32, UINT64, INT64 ->
                    new Value.Whole(type, input.readWhole(type));
                case STRING -> readText();
                case ARRAY -> readSeries();
                case FLOAT32, FLOAT64, BOOL -> {
                    skip(type, 0);
                    yield Value.OTHER;
                }
            };
        }

        private Value readText() {
            long length = input.readCount();
            if (length > KEPT_TEXT_BYTES) {
                input.skip(length);
                return Value.OTHER;
            }
            input.requireHeader(length);
            return new Value.Text(new String(input.file().readBytes((int) length), StandardCharsets.UTF_8));
        }

        private Value readSeries() {
            ValueType type = input.readValueType();
            long length = input.readCount(elementBytes(type));
            if (!type.isWhole()) {
                skipElements(type, length, 1);
                return new Value.Series(length, OptionalLong.empty());
            }
            input.requireHeader(length * type.bytes());
            return new Value.Series(length, readCommon(type, length));
        }

        private OptionalLong readCommon(ValueType type, long length) {
            if (length == 0) {
                return OptionalLong.empty();
            }
            long first = input.readWhole(type);
            boolean same = true;
            for (long at = 1; at < length; at++) {
                same &= input.readWhole(type) == first;
            }
            return same ? OptionalLong.of(first) : OptionalLong.empty();
        }

        private void skip(ValueType type, int depth) {
            switch (type) {
                case BOOL -> input.checkBool();
                case STRING -> input.skip(input.readCount());
                case ARRAY -> skipArray(depth + 1);
                case UINT8, INT8, UINT16, INT16, UINT32, INT32, UINT64, INT64, FLOAT32, FLOAT64 ->
                    input.skip(type.bytes());
            }
        }

        private void skipArray(int depth) {
            if (depth > CheckpointReader.Limits.DEPTH) {
                throw input.error(TOO_LARGE, "arrays are nested more than " + CheckpointReader.Limits.DEPTH + " deep");
            }
            ValueType type = input.readValueType();
            skipElements(type, input.readCount(elementBytes(type)), depth);
        }

        private void skipElements(ValueType type, long length, int depth) {
            if (type.bytes() > 0) {
                input.skip(length * type.bytes());
                return;
            }
            for (long at = 0; at < length; at++) {
                skip(type, depth);
            }
        }

        /// Returns the smallest size of an array's element, in bytes.
        private int elementBytes(ValueType type) {
            return type == ValueType.STRING
                    ? input.countBytes()
                    : type == ValueType.ARRAY ? Integer.BYTES + input.countBytes() : type.bytes();
        }
    }
}
