// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.DUPLICATE_KEY;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.MISSING_KEY;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// The fields of one object by key. The whole object is gone over first; then its values are read where they stand, in
/// any order, and unread ones are ignored. Slower than [JsonStruct], and
/// shorter to use. Confined to one thread.
sealed class FieldReader permits OwnFieldReader {
    final JsonReader json;
    private final Map<String, Integer> places = new HashMap<>();

    /// Goes over an object with any keys.
    FieldReader(JsonReader json) {
        this.json = json;
        json.beginObject();
        while (json.nextKey(JsonKeys.NO_KEYS, 0) != JsonReader.END) {
            if (places.put(json.lastKey(), json.position()) != null) {
                throw json.error(DUPLICATE_KEY, "the key '" + json.shownKey() + "' is there twice");
            }
            json.skipValue();
        }
    }

    /// Goes over an object or, in the order of the keys, an array. Keys that are not in the set are read over.
    FieldReader(JsonReader json, JsonKeys keys) {
        this.json = json;
        JsonStruct struct = JsonStruct.lenient(json, keys);
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            places.put(keys.name(field), json.position());
            json.skipValue();
        }
    }

    final Set<String> keys() {
        return places.keySet();
    }

    final boolean has(String key) {
        return places.containsKey(key);
    }

    /// The value of a key that must be there.
    final <T> T at(String key, Supplier<T> read) {
        Integer place = places.get(key);
        if (place == null) {
            throw json.error(MISSING_KEY, "the key '" + key + "' is missing");
        }
        int here = json.position();
        json.seek(place);
        json.lastKey = key;
        T value = read.get();
        json.seek(here);
        return value;
    }

    /// The value of a key that may be missing.
    final <T> T at(String key, Supplier<T> read, T otherwise) {
        return has(key) ? at(key, read) : otherwise;
    }

    final String text(String key) {
        return at(key, json::nextString);
    }

    final String text(String key, String otherwise) {
        return at(key, json::nextString, otherwise);
    }

    final boolean truth(String key) {
        return at(key, json::nextBoolean);
    }

    final long count(String key, long most) {
        return at(key, () -> json.nextUnsigned(most));
    }

    final long count(String key, long most, long otherwise) {
        return has(key) ? count(key, most) : otherwise;
    }

    final <E extends Enum<E>> E name(String key, Names<E> names) {
        return at(key, () -> names.read(json));
    }

    /// A text that must be one of a set.
    final String name(String key, JsonKeys names) {
        return at(key, () -> names.name(json.nextName(names)));
    }

    /// The items of an array; none where the key is missing.
    final <T> List<T> list(String key, Supplier<T> item) {
        return at(key, () -> json.nextList(item), List.of());
    }
}
