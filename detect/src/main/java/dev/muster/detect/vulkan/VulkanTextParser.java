// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vulkan;

import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads what `vulkaninfo` prints, with `--summary` or in full: a line `GPU0:` starts a device, `key = value` lines
/// follow, and in the full form blocks such as `memoryHeaps[0]:` with a size and flags.
final class VulkanTextParser {
    private static final int MAX_PROPERTIES = 64;
    private static final String HEAP = "memoryHeaps[";
    private static final String ON_DEVICE = "MEMORY_HEAP_DEVICE_LOCAL_BIT";

    private final List<VulkanDevice> devices = new ArrayList<>();
    private Map<String, String> properties = new LinkedHashMap<>();
    private boolean inDevice;
    private boolean inHeap;
    private Bytes heap = Bytes.ZERO;
    private Bytes largest = Bytes.ZERO;

    private VulkanTextParser() {}

    /// The devices, software ones included; a device without a name is none. Surfaces and layers that mention GPUs
    /// before the list are passed over.
    static List<VulkanDevice> parse(String text) {
        VulkanTextParser parser = new VulkanTextParser();
        for (String line : text.split("\n")) {
            parser.take(line);
        }
        parser.close();
        return List.copyOf(parser.devices);
    }

    private void take(String line) {
        String content = line.strip();
        if (isHeading(content)) {
            close();
            inDevice = true;
        } else if (inDevice) {
            takeProperty(content);
        }
    }

    private static boolean isHeading(String content) {
        return content.startsWith("GPU")
                && content.endsWith(":")
                && Amount.count(content.substring(3, content.length() - 1), VulkanDevice.MAX_DEVICES)
                        .isPresent();
    }

    private void takeProperty(String content) {
        if (content.startsWith(HEAP)) {
            inHeap = true;
            heap = Bytes.ZERO;
        } else if (inHeap && content.equals(ON_DEVICE)) {
            largest = heap.compareTo(largest) > 0 ? heap : largest;
        } else if (content.startsWith("memoryTypes") || content.startsWith("Vk")) {
            inHeap = false;
        }
        int equals = content.indexOf('=');
        if (equals <= 0) {
            return;
        }
        String key = content.substring(0, equals).strip();
        String value = content.substring(equals + 1).strip();
        if (inHeap && key.equals("size")) {
            heap = size(value).orElse(Bytes.ZERO);
        } else if (isWanted(key) && properties.size() < MAX_PROPERTIES) {
            properties.putIfAbsent(key, isVersion(key) ? firstWord(value) : value);
        }
    }

    private static boolean isWanted(String key) {
        return switch (key) {
            case "apiVersion",
                    "driverVersion",
                    "vendorID",
                    "deviceID",
                    "deviceType",
                    "deviceName",
                    "driverID",
                    "driverName",
                    "driverInfo",
                    "deviceUUID",
                    "pciDomain",
                    "pciBus",
                    "pciDevice",
                    "pciFunction" -> true;
            default -> false;
        };
    }

    private static boolean isVersion(String key) {
        return key.endsWith("Version");
    }

    /// The full form writes the packed number behind a version.
    private static String firstWord(String value) {
        int blank = value.indexOf(' ');
        return blank < 0 ? value : value.substring(0, blank);
    }

    /// Bytes: `17171480576 (0x3ff800000) (15.99 GiB)`.
    private static Optional<Bytes> size(String value) {
        return Amount.count(firstWord(value), Amount.MAX_MEMORY.unsigned()).map(Bytes::of);
    }

    private void close() {
        if (inDevice && properties.containsKey("deviceName") && devices.size() < VulkanDevice.MAX_DEVICES) {
            VulkanDevice device = new VulkanDevice(properties, largest);
            if (device.findName().isPresent()) {
                devices.add(device);
            }
        }
        properties = new LinkedHashMap<>();
        largest = Bytes.ZERO;
        inDevice = false;
        inHeap = false;
    }
}
