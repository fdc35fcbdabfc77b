// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorRequirement;
import dev.muster.core.AcceleratorType;
import dev.muster.core.Gap;
import dev.muster.core.SystemIo;
import java.util.function.Consumer;
import java.util.function.Function;

/// Registries in the tagged form of ai-hwaccel: schema 1 to 3 are read, 3 is written, to the letter of release 1.2.0.
/// Thread-safe: nothing is kept between calls.
///
/// @since 0.1
public final class ReferenceDocument {
    private ReferenceDocument() {}

    /// Reads a registry.
    ///
    /// @throws DocumentException if the text is not such a document
    public static AcceleratorRegistry read(String text) {
        return new ReferenceReader(JsonReader.of(text)).readRegistry();
    }

    /// Reads a registry from UTF-8 bytes.
    ///
    /// @throws DocumentException if the text is not such a document
    public static AcceleratorRegistry read(byte[] utf8) {
        return new ReferenceReader(JsonReader.of(utf8)).readRegistry();
    }

    /// Reads a single profile.
    ///
    /// @throws DocumentException if the text is not a profile
    public static AcceleratorProfile readProfile(String text) {
        return whole(text, json -> new ReferenceReader(json).readProfile());
    }

    /// Reads a single accelerator type.
    ///
    /// @throws DocumentException if the text is not an accelerator type
    public static AcceleratorType readType(String text) {
        return whole(text, json -> new ReferenceReader(json).readType());
    }

    /// Reads a single system description.
    ///
    /// @throws DocumentException if the text is not a system description
    public static SystemIo readSystemIo(String text) {
        return whole(text, json -> new ReferenceSystemReader(json).readSystemIo());
    }

    /// Reads a single detection warning.
    ///
    /// @throws DocumentException if the text is not a warning
    public static Gap readGap(String text) {
        return whole(text, json -> new ReferenceSystemReader(json).readGap());
    }

    /// Reads a single requirement.
    ///
    /// @throws DocumentException if the text is not a requirement
    public static AcceleratorRequirement readRequirement(String text) {
        return whole(text, json -> new ReferenceReader(json).readRequirement());
    }

    private static <T> T whole(String text, Function<JsonReader, T> read) {
        JsonReader json = JsonReader.of(text);
        T value = read.apply(json);
        json.requireEnd();
        return value;
    }

    /// The registry on one line.
    ///
    /// @throws DocumentException if the form cannot say what the registry holds
    public static String write(AcceleratorRegistry registry) {
        return text(false, json -> new ReferenceWriter(json).write(registry));
    }

    /// The registry with one value a line, indented by two blanks.
    ///
    /// @throws DocumentException if the form cannot say what the registry holds
    public static String writeIndented(AcceleratorRegistry registry) {
        return text(true, json -> new ReferenceWriter(json).write(registry));
    }

    /// A single profile on one line.
    public static String write(AcceleratorProfile profile) {
        return text(false, json -> new ReferenceWriter(json).write(profile));
    }

    /// A single accelerator type on one line.
    public static String write(AcceleratorType type) {
        return text(false, json -> new ReferenceWriter(json).write(type));
    }

    /// A single system description on one line.
    public static String write(SystemIo io) {
        return text(false, json -> new ReferenceSystemWriter(json).write(io));
    }

    /// A single requirement on one line.
    public static String write(AcceleratorRequirement requirement) {
        return text(false, json -> new ReferenceWriter(json).write(requirement));
    }

    /// A single detection warning on one line.
    public static String write(Gap gap) {
        return text(false, json -> new ReferenceSystemWriter(json).write(gap));
    }

    private static String text(boolean indented, Consumer<JsonWriter> content) {
        JsonWriter json = new JsonWriter(indented);
        content.accept(json);
        return json.toString();
    }
}
