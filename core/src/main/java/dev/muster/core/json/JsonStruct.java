// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.DUPLICATE_KEY;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.MISSING_KEY;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.UNKNOWN_KEY;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_TYPE;

/// Walks over the fields of one object with a known set of keys, in any order, each at most once. Documents of
/// ai-hwaccel may also give the fields as an array, in the order of the keys.
final class JsonStruct {
    private final JsonReader reader;
    private final JsonKeys keys;
    private final boolean strict;
    private final boolean positional;
    private long seen;
    private int last = -1;

    private JsonStruct(JsonReader reader, JsonKeys keys, boolean strict) {
        this.reader = reader;
        this.keys = keys;
        this.strict = strict;
        this.positional = reader.isArray();
        if (positional) {
            reader.beginArray();
        } else {
            reader.beginObject();
        }
    }

    /// Enters an object or array; a key that is not in the set is an error.
    static JsonStruct strict(JsonReader reader, JsonKeys keys) {
        return new JsonStruct(reader, keys, true);
    }

    /// Enters an object or array; a key that is not in the set is read over.
    static JsonStruct lenient(JsonReader reader, JsonKeys keys) {
        return new JsonStruct(reader, keys, false);
    }

    /// The index of the next field, whose value is then read next; [JsonReader#END] when the struct is left.
    int next() {
        last = positional ? nextPosition() : nextNamed();
        if (last >= 0) {
            seen |= 1L << last;
        }
        return last;
    }

    private int nextPosition() {
        if (!reader.nextItem()) {
            return JsonReader.END;
        }
        if (last + 1 >= keys.size()) {
            throw reader.error(WRONG_TYPE, "the array has more than " + keys.size() + " items");
        }
        return last + 1;
    }

    private int nextNamed() {
        while (true) {
            int field = reader.nextKey(keys, last + 1);
            if (field >= 0 && (seen & 1L << field) != 0) {
                throw reader.error(DUPLICATE_KEY, "the key '" + keys.name(field) + "' is there twice");
            }
            if (field != JsonReader.UNKNOWN) {
                return field;
            }
            if (strict) {
                throw reader.error(
                        UNKNOWN_KEY,
                        "unknown key '" + reader.shownKey() + "'; known are " + String.join(", ", keys.names()));
            }
            reader.skipValue();
        }
    }

    /// Checks that the fields of a mask were there.
    ///
    /// @param named the fields an object must have
    /// @param inArray the fields an array must have
    void require(long named, long inArray) {
        long missing = (positional ? inArray : named) & ~seen;
        if (missing != 0) {
            String key = keys.name(Long.numberOfTrailingZeros(missing));
            throw reader.error(MISSING_KEY, "the key '" + key + "' is missing");
        }
    }

    /// Checks that the fields of a mask were there.
    void require(long fields) {
        require(fields, fields);
    }
}
