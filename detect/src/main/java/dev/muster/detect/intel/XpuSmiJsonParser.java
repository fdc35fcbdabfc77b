// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.intel;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.detect.text.JsonFields;
import dev.muster.detect.tool.ToolRow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads `xpu-smi discovery -j`: an object with the devices under `device_list`.
final class XpuSmiJsonParser {
    private static final int MAX_DEVICES = 1024;

    private XpuSmiJsonParser() {}

    /// Returns the devices; nothing if this is not such a document.
    static Optional<List<ToolRow>> parse(String text) {
        return JsonFields.parse(text)
                .map(document -> document.find("device_list").orElse(document))
                .filter(JsonArray.class::isInstance)
                .map(list -> JsonFields.items(list).stream()
                        .limit(MAX_DEVICES)
                        .flatMap(item -> device(item).stream())
                        .toList());
    }

    private static Optional<ToolRow> device(JsonValue item) {
        if (!(item instanceof JsonObject(Map<String, JsonValue> members))) {
            return Optional.empty();
        }
        Map<String, String> properties = new LinkedHashMap<>();
        members.forEach((key, value) -> {
            if (properties.size() < XpuSmi.MAX_PROPERTIES) {
                JsonFields.text(value).ifPresent(text -> properties.put(key, text));
            }
        });
        return ToolRow.find(properties, "device_id");
    }
}
