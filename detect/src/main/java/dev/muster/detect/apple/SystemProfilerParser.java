// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.apple;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.detect.text.JsonFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads `system_profiler`: texts of `Key: value` lines whose indent is their nesting, or JSON.
final class SystemProfilerParser {
    private static final int MAX_GPUS = 64;
    private static final int MAX_PROPERTIES = 64;
    private static final int MAX_VALUE = 256;
    private static final String DISPLAYS = "SPDisplaysDataType";

    private SystemProfilerParser() {}

    /// The first value under a key, in any section.
    static Optional<String> findValue(String text, String key) {
        for (String line : text.split("\n")) {
            String content = line.strip();
            if (content.startsWith(key + ":")) {
                String value = content.substring(key.length() + 1).strip();
                if (!value.isEmpty()) {
                    return Optional.of(value.substring(0, Math.min(value.length(), MAX_VALUE)));
                }
            }
        }
        return Optional.empty();
    }

    /// The GPUs of `SPDisplaysDataType` as text. A line that ends with a colon starts a block; blocks below a GPU, such
    /// as its displays, are not GPUs.
    static List<MacGpu> gpus(String text) {
        List<MacGpu> gpus = new ArrayList<>();
        Map<String, String> properties = new LinkedHashMap<>();
        int gpuIndent = -1;
        int ownIndent = -1;
        for (String line : text.split("\n")) {
            String content = line.strip();
            int indent = line.length() - line.stripLeading().length();
            if (content.isEmpty() || indent == 0) {
                continue;
            }
            boolean heading = content.endsWith(":");
            if (heading && (gpuIndent < 0 || indent <= gpuIndent)) {
                close(gpus, properties);
                properties = new LinkedHashMap<>();
                gpuIndent = indent;
                ownIndent = -1;
            } else if (!heading && gpuIndent >= 0 && (ownIndent < 0 || indent == ownIndent)) {
                ownIndent = indent;
                put(properties, content);
            }
        }
        close(gpus, properties);
        return gpus;
    }

    private static void put(Map<String, String> properties, String content) {
        int colon = content.indexOf(": ");
        if (colon > 0 && properties.size() < MAX_PROPERTIES) {
            properties.putIfAbsent(
                    content.substring(0, colon), content.substring(colon + 2).strip());
        }
    }

    private static void close(List<MacGpu> gpus, Map<String, String> properties) {
        if (properties.containsKey("Chipset Model") && gpus.size() < MAX_GPUS) {
            gpus.add(new MacGpu(properties));
        }
    }

    /// Returns the GPUs of `SPDisplaysDataType -json`; nothing if this is not such a document.
    static Optional<List<MacGpu>> gpusOfJson(String text) {
        return JsonFields.parse(text)
                .filter(JsonObject.class::isInstance)
                .map(document -> JsonFields.items(document, DISPLAYS).stream()
                        .limit(MAX_GPUS)
                        .map(SystemProfilerParser::gpu)
                        .filter(gpu -> gpu.findName().isPresent())
                        .toList());
    }

    private static MacGpu gpu(JsonValue item) {
        Map<String, String> properties = new LinkedHashMap<>();
        if (item instanceof JsonObject(Map<String, JsonValue> members)) {
            members.forEach((key, value) -> {
                if (properties.size() < MAX_PROPERTIES) {
                    JsonFields.text(value).ifPresent(plain -> properties.put(key, plain));
                }
            });
        }
        return new MacGpu(properties);
    }
}
