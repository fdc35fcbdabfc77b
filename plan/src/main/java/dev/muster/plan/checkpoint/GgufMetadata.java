package dev.muster.plan.checkpoint;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// The values of a GGUF header that say how the model is built. Immutable.
record GgufMetadata(Map<String, GgufValue> values) {
    GgufMetadata {
        values = Map.copyOf(values);
    }

    Optional<GgufValue> find(String key) {
        return Optional.ofNullable(values.get(key));
    }

    Optional<String> findText(String key) {
        return values.get(key) instanceof GgufValue.Text text ? Optional.of(text.text()) : Optional.empty();
    }

    /// A whole number from 0 on, or the one that all elements of an array are.
    OptionalLong findCount(String key) {
        GgufValue value = values.get(key);
        if (value instanceof GgufValue.Whole whole && whole.value() >= 0) {
            return OptionalLong.of(whole.value());
        }
        return value instanceof GgufValue.Series series && series.common().orElse(-1) >= 0
                ? series.common()
                : OptionalLong.empty();
    }

    /// The length of an array.
    OptionalLong findLength(String key) {
        return values.get(key) instanceof GgufValue.Series series
                ? OptionalLong.of(series.length())
                : OptionalLong.empty();
    }
}
