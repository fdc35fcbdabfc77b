// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.intel;

import dev.muster.core.json.JsonValue;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.JsonFields;
import dev.muster.detect.tool.ToolRow;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Reads `xpu-smi stats -d N -j`: the metrics of the device and, for devices of several tiles, those of each tile.
/// Where
/// only tiles have a metric, memory and power of the device are their sum and everything else is their largest.
final class XpuSmiStatsParser {
    /// The beginning of the name of every metric.
    static final String PREFIX = "XPUM_STATS_";

    private XpuSmiStatsParser() {}

    /// Returns the metrics by name; nothing if this is not such a document.
    static Optional<ToolRow> parse(String text) {
        Optional<JsonValue> document = JsonFields.parse(text);
        Optional<Long> id = document.flatMap(root -> root.find("device_id"))
                .flatMap(JsonFields::text)
                .flatMap(number -> Amount.count(number, ToolRow.MAX_NUMBER));
        if (id.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Double> device = new LinkedHashMap<>();
        document.get().find("device_level").ifPresent(list -> add(list, device));
        Map<String, Double> tiles = new LinkedHashMap<>();
        document.get()
                .find("tile_level")
                .ifPresent(list -> JsonFields.items(list)
                        .forEach(tile -> tile.find("data_list").ifPresent(values -> add(values, tiles))));
        Map<String, String> properties = new LinkedHashMap<>();
        tiles.forEach((name, value) -> properties.put(name, Double.toString(value)));
        device.forEach((name, value) -> properties.put(name, Double.toString(value)));
        return properties.isEmpty() ? Optional.empty() : Optional.of(new ToolRow(id.get(), properties));
    }

    private static void add(JsonValue list, Map<String, Double> values) {
        for (JsonValue item : JsonFields.items(list)) {
            Optional<String> name = item.find("metrics_type")
                    .flatMap(JsonFields::text)
                    .filter(type -> type.startsWith(PREFIX))
                    .filter(_ -> values.size() < XpuSmi.MAX_PROPERTIES);
            Optional<Double> value =
                    item.find("value").flatMap(JsonFields::text).flatMap(Amount::decimal);
            if (name.isPresent() && value.isPresent()) {
                boolean isSum = name.get().endsWith("MEMORY_USED") || name.get().endsWith("POWER");
                values.merge(name.get(), value.get(), isSum ? Double::sum : Math::max);
            }
        }
    }
}
