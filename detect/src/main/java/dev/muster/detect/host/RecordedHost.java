// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.detect.host.RecordedCommands.RecordedCommand;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Opens a recorded host: a bundle that `muster capture` wrote, as a folder or as an archive. Everything that probes
/// ask is answered from the bundle; this machine is not touched.
///
/// @since 0.1
public final class RecordedHost {
    /// The newest form of a bundle that is read.
    public static final int SCHEMA = 1;

    static final String DESCRIPTION = "bundle.json";
    static final String VARIABLES = "env.json";
    static final String COMMANDS = "commands.json";
    static final String ROOT = "root";

    private RecordedHost() {}

    /// Opens a bundle.
    ///
    /// @param bundle a folder, or a `.tar` or `.tar.gz` archive
    /// @throws DetectException if it is none or is damaged
    public static Host open(Path bundle) {
        return of(BundleStore.open(bundle));
    }

    static Host of(BundleStore store) {
        JsonObject description = object(store, DESCRIPTION);
        if (!(description.members().get("schema") instanceof JsonNumber schema)
                || !schema.text().equals(Integer.toString(SCHEMA))) {
            throw new BundleException(DESCRIPTION + " has no \"schema\": " + SCHEMA + ", so it is not read");
        }
        return new Host(
                OperatingSystem.of(text(description, "os", "linux")),
                text(description, "arch", ""),
                new RecordedFiles(store.root()),
                new RecordedCommands(commands(store)),
                HostLibraries.NONE,
                variables(store),
                InstantSource.fixed(created(description)));
    }

    private static Instant created(JsonObject description) {
        String text = text(description, "created", "");
        try {
            return Instant.parse(text);
        } catch (DateTimeException _) {
            throw new BundleException(DESCRIPTION + ": \"created\" is not a time such as 2026-01-31T12:00:00Z");
        }
    }

    private static Map<String, String> variables(BundleStore store) {
        Map<String, String> variables = new HashMap<>();
        if (store.has(VARIABLES)) {
            for (Map.Entry<String, JsonValue> member :
                    object(store, VARIABLES).members().entrySet()) {
                if (!(member.getValue() instanceof JsonString(String value))) {
                    throw new BundleException(VARIABLES + ": '" + member.getKey() + "' is not text");
                }
                variables.put(member.getKey(), value);
            }
        }
        return variables;
    }

    private static List<RecordedCommand> commands(BundleStore store) {
        List<RecordedCommand> commands = new ArrayList<>();
        if (store.has(COMMANDS)) {
            if (!(parse(store, COMMANDS) instanceof JsonArray(List<JsonValue> items))) {
                throw new BundleException(COMMANDS + " is not a list");
            }
            for (JsonValue item : items) {
                if (!(item instanceof JsonObject object)) {
                    throw new BundleException(COMMANDS + " holds something that is not an object");
                }
                commands.add(command(store, object));
            }
        }
        return commands;
    }

    private static RecordedCommand command(BundleStore store, JsonObject object) {
        if (!(object.members().get("argv") instanceof JsonArray(List<JsonValue> words)) || words.isEmpty()) {
            throw new BundleException(COMMANDS + ": an entry has no \"argv\"");
        }
        List<String> argv = new ArrayList<>();
        for (JsonValue word : words) {
            if (!(word instanceof JsonString(String text))) {
                throw new BundleException(COMMANDS + ": \"argv\" holds something that is not text");
            }
            argv.add(text);
        }
        String program = argv.getFirst();
        return new RecordedCommand(
                program.substring(program.lastIndexOf('/') + 1),
                argv.subList(1, argv.size()),
                number(object, "exit"),
                stream(store, object, "stdout"),
                stream(store, object, "stderr"),
                Duration.ofMillis(number(object, "millis")));
    }

    private static String stream(BundleStore store, JsonObject object, String key) {
        String file = text(object, key, "");
        return file.isEmpty() ? "" : store.text(file);
    }

    private static int number(JsonObject object, String key) {
        JsonValue value = object.members().get(key);
        if (value == null) {
            return 0;
        }
        try {
            return Integer.parseInt(((JsonNumber) value).text());
        } catch (ClassCastException | NumberFormatException e) {
            throw new BundleException(COMMANDS + ": \"" + key + "\" is not an integer", e);
        }
    }

    private static String text(JsonObject object, String key, String otherwise) {
        return object.members().get(key) instanceof JsonString(String value) ? value : otherwise;
    }

    private static JsonObject object(BundleStore store, String name) {
        if (parse(store, name) instanceof JsonObject object) {
            return object;
        }
        throw new BundleException(name + " is not a JSON object");
    }

    private static JsonValue parse(BundleStore store, String name) {
        try {
            return JsonValue.parse(store.text(name));
        } catch (DocumentException e) {
            throw new BundleException(name + ": " + e.getMessage(), e);
        }
    }
}
