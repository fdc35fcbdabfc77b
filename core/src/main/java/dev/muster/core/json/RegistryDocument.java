// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.MALFORMED;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.MISSING_KEY;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_TYPE;

import dev.muster.core.AcceleratorRegistry;
import java.util.Optional;

/// Registries as JSON documents: Muster's own form is written, and any of the three forms is read (Muster's own,
/// ai-hwaccel's tagged schema 1 to 3, its flat schema 4 and 5). Thread-safe: nothing is kept between calls.
///
/// The own form is described by `docs/schema/registry.schema.json`.
///
/// @since 0.1
public final class RegistryDocument {
    /// The schema number of Muster's own form.
    public static final int SCHEMA = 1;

    /// The largest document that is read, in bytes.
    public static final int MAX_BYTES = JsonText.MAX_BYTES;

    /// The most devices of a document that is read: questions about each pair of them would take too long.
    public static final int MAX_DEVICES = 8_192;

    static final String KIND = "registry";

    private RegistryDocument() {}

    /// Reads a registry of any form from UTF-8 bytes.
    ///
    /// @throws DocumentException if the text is not a registry document
    public static AcceleratorRegistry read(byte[] utf8) {
        JsonReader json = JsonReader.of(utf8);
        if (json.isAtEnd()) {
            throw json.error(MALFORMED, "the document is empty");
        }
        if (!json.isObject()) {
            throw json.error(WRONG_TYPE, "a registry document is a JSON object");
        }
        // The forms are told apart by what only one of them has: `schema`, or flat profiles.
        FieldReader root = new FieldReader(json);
        json.requireEnd();
        boolean flat = root.list("profiles", () -> isFlat(json)).contains(true);
        json.seek(0);
        if (root.has("schema")) {
            return new RegistryReader(json).read();
        }
        if (!root.has("profiles")) {
            throw json.error(
                    MISSING_KEY,
                    "this is not a registry: it has neither the key 'schema' of Muster's documents nor 'profiles' of"
                            + " ai-hwaccel's");
        }
        return flat ? new FlatReader(json).readRegistry() : new ReferenceReader(json).readRegistry();
    }

    private static boolean isFlat(JsonReader json) {
        if (!json.isObject()) {
            json.skipValue();
            return false;
        }
        FieldReader profile = new FieldReader(json);
        return profile.has("accel_type_id") || profile.has("family");
    }

    /// The registry in Muster's own form on one line.
    public static String write(AcceleratorRegistry registry) {
        return write(registry, false);
    }

    /// The registry in Muster's own form with one value a line, indented by two blanks.
    public static String writeIndented(AcceleratorRegistry registry) {
        return write(registry, true);
    }

    /// The difference of a registry from another, as a JSON object on one line: hosts of one kind differ in a UUID
    /// and a temperature. Nothing where it cannot be said so: the two have other devices, another system around
    /// them, or know a fact from elsewhere.
    ///
    /// @since 0.2
    public static Optional<String> writeChanges(AcceleratorRegistry base, AcceleratorRegistry registry) {
        return RegistryChanges.write(base, registry);
    }

    /// The registry that a text of [#writeChanges] sets apart from another.
    ///
    /// @throws DocumentException if the text says no such thing
    /// @since 0.2
    public static AcceleratorRegistry readChanges(AcceleratorRegistry base, byte[] utf8) {
        return RegistryChanges.read(base, utf8);
    }

    private static String write(AcceleratorRegistry registry, boolean indented) {
        JsonWriter json = new JsonWriter(indented);
        new RegistryWriter(json).write(registry);
        return json.toString();
    }
}
