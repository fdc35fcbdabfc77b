package dev.muster.detect.windows;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads what PowerShell makes of video controllers: an object with `controllers` and `memory`, or the controllers
/// alone. PowerShell writes a list of one as that one.
final class PowerShellParser {
    private PowerShellParser() {}

    /// The answer; nothing if this is no such document.
    static Optional<Answer> parse(String text) {
        JsonValue document;
        try {
            document = JsonValue.parse(text.startsWith("\ufeff") ? text.substring(1) : text);
        } catch (DocumentException _) {
            return Optional.empty();
        }
        List<WindowsAdapter> adapters = new ArrayList<>();
        for (JsonValue item : items(document.find("controllers").orElse(document))) {
            if (!text(item, "Name").isEmpty()) {
                adapters.add(new WindowsAdapter(
                        text(item, "Name"),
                        text(item, "AdapterRAM"),
                        text(item, "DriverVersion"),
                        text(item, "PNPDeviceID")));
            }
        }
        List<AdapterMemory> memory = new ArrayList<>();
        for (JsonValue item : items(document.find("memory").orElse(new JsonArray(List.of())))) {
            memory.add(new AdapterMemory(
                    text(item, "DriverDesc"), text(item, "MatchingDeviceId"), text(item, "MemorySize")));
        }
        return Optional.of(new Answer(adapters, memory));
    }

    private static List<JsonValue> items(JsonValue value) {
        return switch (value) {
            case JsonArray(List<JsonValue> items) ->
                items.subList(0, Math.min(items.size(), WindowsAdapter.MAX_ADAPTERS));
            case JsonObject object -> List.of(object);
            case JsonString _, JsonNumber _, JsonValue.JsonBoolean _, JsonValue.JsonNull _ -> List.of();
        };
    }

    private static String text(JsonValue item, String key) {
        return switch (item.find(key).orElse(new JsonValue.JsonNull())) {
            case JsonString(String text) -> text.strip();
            case JsonNumber(String digits) -> digits;
            case JsonObject _, JsonArray _, JsonValue.JsonBoolean _, JsonValue.JsonNull _ -> "";
        };
    }

    /// What was read.
    ///
    /// @param adapters the video controllers
    /// @param memory what the registry says about their memory
    record Answer(List<WindowsAdapter> adapters, List<AdapterMemory> memory) {
        Answer {
            adapters = List.copyOf(adapters);
            memory = List.copyOf(memory);
        }
    }
}
