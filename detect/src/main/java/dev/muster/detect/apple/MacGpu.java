// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.apple;

import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A GPU as `system_profiler SPDisplaysDataType` describes it, in its text or in JSON.
///
/// @param properties facts: texts by keys such as `Chipset Model`, JSON by keys such as `sppci_model`
record MacGpu(Map<String, String> properties) {
    private static final long MAX_CORES = 4096;

    MacGpu {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }

    private Optional<String> find(String... keys) {
        for (String key : keys) {
            String text = properties.get(key);
            if (text != null && !text.isBlank()) {
                return Optional.of(text.strip());
            }
        }
        return Optional.empty();
    }

    Optional<String> findName() {
        return find("Chipset Model", "sppci_model", "_name");
    }

    /// GPU cores; the processor's cores have the same key in another section.
    Optional<Long> findCores() {
        return find("Total Number of Cores", "sppci_cores").flatMap(text -> Amount.count(text, MAX_CORES));
    }

    /// Returns its Metal support, whose key differs in each generation of macOS.
    Optional<String> findMetal() {
        return find(
                        "Metal Support",
                        "Metal Family",
                        "Metal",
                        "spdisplays_metal_family",
                        "spdisplays_mtlgpufamilysupport",
                        "spdisplays_metal")
                .map(text -> text.startsWith("Supported, ") ? text.substring("Supported, ".length()) : text)
                .filter(text -> !text.equals("Supported") && !text.equals("spdisplays_supported"));
    }

    /// Memory of its own; GPUs of Apple's have none, and integrated ones of Intel's borrow the host's.
    Optional<Bytes> findVram() {
        return find("VRAM (Total)", "VRAM", "sppci_vram", "spdisplays_vram").flatMap(MacMemory::find);
    }

    /// Returns the amount it may borrow of the host's memory.
    Optional<Bytes> findShared() {
        return find("VRAM (Dynamic, Max)", "spdisplays_vram_shared").flatMap(MacMemory::find);
    }

    boolean isApple() {
        return find("Vendor", "spdisplays_vendor", "sppci_vendor")
                .or(this::findName)
                .filter(text -> text.toLowerCase(Locale.ROOT).contains("apple"))
                .isPresent();
    }

    /// Vendor and device on the bus, such as `1002:67df`: texts carry the vendor's id in brackets.
    Optional<String> findPciId() {
        String vendor = find("Vendor", "spdisplays_vendor").orElse("");
        int start = vendor.indexOf("(0x");
        int end = vendor.indexOf(')', Math.max(0, start));
        Optional<String> device = find("Device ID", "spdisplays_device-id").flatMap(MacGpu::id);
        return start < 0 || end < 0
                ? Optional.empty()
                : id(vendor.substring(start + 1, end)).flatMap(first -> device.map(second -> first + ":" + second));
    }

    private static Optional<String> id(String text) {
        boolean fits = text.startsWith("0x") && text.length() == 6;
        return fits ? Optional.of(text.substring(2).toLowerCase(Locale.ROOT)) : Optional.empty();
    }
}
