package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.Code.MALFORMED;
import static dev.muster.core.json.DocumentException.Code.WRONG_TYPE;

import dev.muster.core.AcceleratorRegistry;

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

    static final String KIND = "registry";

    private static final JsonKeys ROOT = JsonKeys.of("schema", "profiles");
    private static final JsonKeys FLAT_PROFILE = JsonKeys.of("accel_type_id", "family");

    private RegistryDocument() {}

    /// Reads a registry of any form from UTF-8 bytes.
    ///
    /// @throws DocumentException if the text is no registry document
    public static AcceleratorRegistry read(byte[] utf8) {
        return switch (formOf(JsonReader.of(utf8))) {
            case OWN -> new RegistryReader(JsonReader.of(utf8)).read();
            case TAGGED -> ReferenceDocument.read(utf8);
            case FLAT -> new FlatReader(JsonReader.of(utf8)).readRegistry();
        };
    }

    /// The registry in Muster's own form on one line.
    public static String write(AcceleratorRegistry registry) {
        return write(registry, false);
    }

    /// The registry in Muster's own form with one value a line, indented by two blanks.
    public static String writeIndented(AcceleratorRegistry registry) {
        return write(registry, true);
    }

    private static String write(AcceleratorRegistry registry, boolean indented) {
        JsonWriter json = new JsonWriter(indented);
        new RegistryWriter(json).write(registry);
        return json.toString();
    }

    private enum Form {
        OWN,
        TAGGED,
        FLAT
    }

    /// Tells the forms apart by what only one of them has: `schema`, or flat profiles.
    private static Form formOf(JsonReader json) {
        if (json.isAtEnd()) {
            throw json.error(MALFORMED, "the document is empty");
        }
        if (!json.isObject()) {
            throw json.error(WRONG_TYPE, "a registry document is a JSON object");
        }
        json.beginObject();
        Form form = Form.TAGGED;
        for (int key = json.nextKey(ROOT, 0); key != JsonReader.END; key = json.nextKey(ROOT, 0)) {
            if (key == 0) {
                return Form.OWN;
            }
            if (key == 1 && json.isArray()) {
                form = formOfProfiles(json);
            } else {
                json.skipValue();
            }
        }
        json.requireEnd();
        return form;
    }

    private static Form formOfProfiles(JsonReader json) {
        Form form = Form.TAGGED;
        json.beginArray();
        while (json.nextItem()) {
            if (!json.isObject()) {
                json.skipValue();
                continue;
            }
            json.beginObject();
            for (int key = json.nextKey(FLAT_PROFILE, 0); key != JsonReader.END; key = json.nextKey(FLAT_PROFILE, 0)) {
                form = key == JsonReader.UNKNOWN ? form : Form.FLAT;
                json.skipValue();
            }
        }
        return form;
    }
}
