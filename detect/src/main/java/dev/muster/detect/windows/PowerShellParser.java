// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.windows;

import dev.muster.core.json.JsonValue;
import dev.muster.detect.text.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads what PowerShell makes of video controllers: an object with `controllers` and `memory`, or the controllers
/// alone. PowerShell writes a list of one as that one.
final class PowerShellParser {
    private PowerShellParser() {}

    /// Returns the answer; nothing if this is not such a document.
    static Optional<Answer> parse(String text) {
        return JsonFields.parse(text).map(document -> {
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
            List<WindowsAdapter.Memory> memory = new ArrayList<>();
            for (JsonValue item :
                    document.find("memory").map(PowerShellParser::items).orElse(List.of())) {
                memory.add(new WindowsAdapter.Memory(
                        text(item, "DriverDesc"), text(item, "MatchingDeviceId"), text(item, "MemorySize")));
            }
            return new Answer(adapters, memory);
        });
    }

    private static List<JsonValue> items(JsonValue value) {
        List<JsonValue> items = value instanceof JsonValue.JsonObject ? List.of(value) : JsonFields.items(value);
        return items.subList(0, Math.min(items.size(), WindowsAdapter.MAX_ADAPTERS));
    }

    private static String text(JsonValue item, String key) {
        return JsonFields.text(item, key).orElse("");
    }

    /// The content of an answer.
    ///
    /// @param adapters the video controllers
    /// @param memory the registry's entries for their memory
    record Answer(List<WindowsAdapter> adapters, List<WindowsAdapter.Memory> memory) {
        Answer {
            adapters = List.copyOf(adapters);
            memory = List.copyOf(memory);
        }
    }
}
