// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vulkan;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.JsonFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads `vulkaninfo -j`: one device's properties as Vulkan's structures hold them, with packed versions and numbers
/// for types. Newer releases put the structures under `capabilities/device/properties`.
final class VulkanJsonParser {
    private static final String PROPERTIES = "VkPhysicalDeviceProperties";
    private static final String MEMORY = "VkPhysicalDeviceMemoryProperties";
    private static final String[] TYPES = {
        "PHYSICAL_DEVICE_TYPE_OTHER",
        "PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU",
        "PHYSICAL_DEVICE_TYPE_DISCRETE_GPU",
        "PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU",
        "PHYSICAL_DEVICE_TYPE_CPU"
    };

    private VulkanJsonParser() {}

    /// Returns the device; nothing if this is not such a document.
    static Optional<VulkanDevice> parse(String text) {
        return JsonFields.parse(text)
                .flatMap(document -> document.find(PROPERTIES)
                        .or(() -> document.find("capabilities")
                                .flatMap(value -> value.find("device"))
                                .flatMap(value -> value.find("properties"))
                                .flatMap(value -> value.find(PROPERTIES)))
                        .filter(value -> value.find("deviceName").isPresent())
                        .map(value -> new VulkanDevice(
                                propertiesOf(value),
                                document.find(MEMORY)
                                        .map(VulkanJsonParser::heap)
                                        .orElse(Bytes.ZERO))));
    }

    private static Map<String, String> propertiesOf(JsonValue value) {
        Map<String, String> properties = new LinkedHashMap<>();
        text(value, "deviceName").ifPresent(name -> properties.put("deviceName", name));
        text(value, "deviceType").ifPresent(type -> properties.put("deviceType", type));
        number(value, "deviceType", TYPES.length - 1L)
                .ifPresent(type -> properties.put("deviceType", TYPES[type.intValue()]));
        number(value, "vendorID", 0xFFFF_FFFFL).ifPresent(id -> properties.put("vendorID", hex(id)));
        number(value, "deviceID", 0xFFFF_FFFFL).ifPresent(id -> properties.put("deviceID", hex(id)));
        number(value, "apiVersion", 0xFFFF_FFFFL).ifPresent(packed -> properties.put("apiVersion", version(packed)));
        return properties;
    }

    private static String hex(long id) {
        return "0x" + Long.toHexString(id);
    }

    /// Vulkan packs its version into 7, 10 and 12 bits.
    private static String version(long packed) {
        return ((packed >> 22) & 0x7F) + "." + ((packed >> 12) & 0x3FF) + "." + (packed & 0xFFF);
    }

    private static Optional<String> text(JsonValue value, String key) {
        return value.find(key).orElse(value) instanceof JsonString(String text) ? Optional.of(text) : Optional.empty();
    }

    private static Optional<Long> number(JsonValue value, String key, long max) {
        return value.find(key).orElse(value) instanceof JsonNumber(String digits)
                ? Amount.count(digits, max)
                : Optional.empty();
    }

    private static Bytes heap(JsonValue memory) {
        if (!(memory.find("memoryHeaps").orElse(memory) instanceof JsonArray(List<JsonValue> heaps))) {
            return Bytes.ZERO;
        }
        Bytes largest = Bytes.ZERO;
        for (JsonValue heap : heaps) {
            Bytes size = number(heap, "size", Amount.MAX_MEMORY.unsigned())
                    .map(Bytes::of)
                    .orElse(Bytes.ZERO);
            if (isOnDevice(heap) && size.compareTo(largest) > 0) {
                largest = size;
            }
        }
        return largest;
    }

    private static boolean isOnDevice(JsonValue heap) {
        if (!(heap instanceof JsonObject)) {
            return false;
        }
        if (heap.find("flags").orElse(heap) instanceof JsonArray(List<JsonValue> flags)) {
            return flags.contains(new JsonString("VK_MEMORY_HEAP_DEVICE_LOCAL_BIT"))
                    || flags.contains(new JsonString("MEMORY_HEAP_DEVICE_LOCAL_BIT"));
        }
        return number(heap, "flags", 0xFFFF_FFFFL)
                .filter(flags -> (flags & 1) != 0)
                .isPresent();
    }
}
