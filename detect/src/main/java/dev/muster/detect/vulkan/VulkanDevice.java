// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vulkan;

import dev.muster.core.PciAddress;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A physical device as `vulkaninfo` describes it.
///
/// @param properties facts, by Vulkan's names, such as `deviceName`
/// @param localHeap the size of the largest heap that lies on the device; 0 where nothing was said of heaps
record VulkanDevice(Map<String, String> properties, Bytes localHeap) {
    static final int MAX_DEVICES = 1024;
    static final int MAX_NAME = 256;

    private static final String SOFTWARE_VENDOR = "10005";
    private static final int HEXADECIMAL = 16;

    VulkanDevice {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }

    Optional<String> find(String key) {
        return Optional.ofNullable(properties.get(key)).filter(text -> !text.isBlank());
    }

    Optional<String> findName() {
        return find("deviceName").map(name -> name.substring(0, Math.min(name.length(), MAX_NAME)));
    }

    /// The size of its memory, if heaps were listed.
    Optional<Bytes> findMemory() {
        return localHeap.isZero() ? Optional.empty() : Optional.of(localHeap);
    }

    /// Vendor and device as people write them; vendors that are not on the PCI bus have longer numbers and no such id.
    Optional<String> findPciId() {
        Optional<String> vendor = find("vendorID").map(VulkanDevice::bare).filter(id -> id.length() == 4);
        Optional<String> device = find("deviceID").map(VulkanDevice::bare).filter(id -> id.length() == 4);
        return vendor.flatMap(first -> device.map(second -> first + ":" + second));
    }

    private static String bare(String id) {
        String lower = id.toLowerCase(Locale.ROOT);
        String digits = lower.startsWith("0x") ? lower.substring(2) : lower;
        return digits.length() < 4 ? "0".repeat(4 - digits.length()) + digits : digits;
    }

    Optional<PciAddress> findAddress() {
        Optional<Long> bus = number("pciBus", 255);
        Optional<Long> slot = number("pciDevice", 31);
        Optional<Long> function = number("pciFunction", 7);
        if (bus.isEmpty() || slot.isEmpty() || function.isEmpty()) {
            return Optional.empty();
        }
        long domain = number("pciDomain", Integer.MAX_VALUE).orElse(0L);
        return Optional.of(new PciAddress(
                (int) domain,
                bus.get().intValue(),
                slot.get().intValue(),
                function.get().intValue()));
    }

    private Optional<Long> number(String key, long max) {
        Optional<String> text = find(key);
        if (text.isPresent() && text.get().startsWith("0x")) {
            try {
                long value = Long.parseLong(text.get().substring(2), HEXADECIMAL);
                return value >= 0 && value <= max ? Optional.of(value) : Optional.empty();
            } catch (NumberFormatException _) {
                return Optional.empty();
            }
        }
        return text.flatMap(digits -> Amount.count(digits, max));
    }

    /// Reports whether the host's processor emulates a GPU.
    boolean isSoftware() {
        String type = find("deviceType").orElse("");
        if (type.endsWith("TYPE_CPU")
                || find("vendorID")
                        .map(VulkanDevice::bare)
                        .filter(SOFTWARE_VENDOR::equals)
                        .isPresent()) {
            return true;
        }
        String name = findName().orElse("").toLowerCase(Locale.ROOT);
        return type.isEmpty()
                && (name.contains("llvmpipe") || name.contains("lavapipe") || name.contains("swiftshader"));
    }

    /// Returns the driver's version as its maker writes it: NVIDIA's in `driverInfo`, where `driverVersion` pads it.
    Optional<String> findDriver() {
        boolean isNvidia = find("driverID").orElse("").toLowerCase(Locale.ROOT).contains("nvidia_proprietary");
        return (isNvidia ? find("driverInfo") : Optional.<String>empty()).or(() -> find("driverVersion"));
    }

    /// Reports whether it is a virtual machine's window onto the GPU of its host, which may be of any vendor.
    boolean isGuest() {
        String driver = find("driverID").orElse("").toLowerCase(Locale.ROOT);
        return find("deviceType").orElse("").endsWith("VIRTUAL_GPU")
                || driver.contains("venus")
                || findName().orElse("").toLowerCase(Locale.ROOT).contains("virtio");
    }

    /// Reports whether both descriptions can be of one device; position alone goes wrong where two lists differ.
    boolean agreesWith(VulkanDevice other) {
        return same("deviceName", other)
                && same("vendorID", other)
                && same("deviceID", other)
                && same("deviceUUID", other);
    }

    private boolean same(String key, VulkanDevice other) {
        Optional<String> own = find(key);
        Optional<String> its = other.find(key);
        return own.isEmpty() || its.isEmpty() || own.equals(its);
    }

    /// This device, completed by another description of it.
    VulkanDevice with(VulkanDevice other) {
        Map<String, String> all = new LinkedHashMap<>(other.properties);
        all.putAll(properties);
        return new VulkanDevice(all, localHeap.isZero() ? other.localHeap : localHeap);
    }
}
