package dev.muster.detect.intel;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.detect.tool.ToolRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads `xpu-smi discovery -j`: an object with the devices under `device_list`.
final class XpuSmiJsonParser {
    private static final int MAX_DEVICES = 1024;

    private XpuSmiJsonParser() {}

    /// The devices; nothing if this is no such document.
    static Optional<List<ToolRow>> parse(String text) {
        JsonValue document;
        try {
            document = JsonValue.parse(text);
        } catch (DocumentException _) {
            return Optional.empty();
        }
        if (!(document.find("device_list").orElse(document) instanceof JsonArray(List<JsonValue> items))) {
            return Optional.empty();
        }
        List<ToolRow> devices = new ArrayList<>();
        for (JsonValue item : items.subList(0, Math.min(items.size(), MAX_DEVICES))) {
            device(item).ifPresent(devices::add);
        }
        return Optional.of(devices);
    }

    private static Optional<ToolRow> device(JsonValue item) {
        if (!(item instanceof JsonObject(Map<String, JsonValue> members))) {
            return Optional.empty();
        }
        Map<String, String> properties = new LinkedHashMap<>();
        members.forEach((key, value) -> {
            if (properties.size() < XpuSmi.MAX_PROPERTIES) {
                textOf(value).ifPresent(text -> properties.put(key, text));
            }
        });
        return ToolRow.find(properties, "device_id");
    }

    private static Optional<String> textOf(JsonValue value) {
        return switch (value) {
            case JsonString(String text) -> Optional.of(text);
            case JsonNumber(String text) -> Optional.of(text);
            case JsonBoolean(boolean truth) -> Optional.of(Boolean.toString(truth));
            case JsonObject _, JsonArray _, JsonValue.JsonNull _ -> Optional.empty();
        };
    }
}
