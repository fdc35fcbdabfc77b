package dev.muster.detect.intel;

import dev.muster.core.PciAddress;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Quantity;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A device as Intel's `xpu-smi` describes it.
///
/// @param id the tool's number for it
/// @param properties what the tool says, by names such as `pci_bdf_address`, whichever form the output had
record XpuSmiDevice(long id, Map<String, String> properties) {
    static final long MAX_ID = 1024;
    static final int MAX_PROPERTIES = 256;

    XpuSmiDevice {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }

    /// The JSON name of a property that tables call `PCI BDF Address`.
    static String keyOf(String label) {
        return label.strip().toLowerCase(Locale.ROOT).replace(' ', '_');
    }

    /// The text of a property; the tool's words for "not known" are none.
    Optional<String> find(String key) {
        return Optional.ofNullable(properties.get(key)).map(String::strip).filter(XpuSmiDevice::says);
    }

    private static boolean says(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "", "unknown", "n/a", "not supported" -> false;
            default -> true;
        };
    }

    Optional<Quantity> findQuantity(String key) {
        return find(key).flatMap(Quantity::find);
    }

    Optional<Long> findCount(String key) {
        return find(key).flatMap(text -> Quantity.findCount(text, Integer.MAX_VALUE));
    }

    Optional<PciAddress> findAddress() {
        return find("pci_bdf_address").flatMap(PciAddress::find);
    }

    /// Its memory. Tables write `32768.00 MiB`, JSON a number of bytes; the dump that ai-hwaccel asks for plain MiB.
    Optional<Bytes> findMemory() {
        return findQuantity("memory_physical_size")
                .or(() -> findQuantity("memory_physical_size_byte").map(size -> size.orIn("B")))
                .or(() -> findQuantity("mem").map(size -> size.orIn("MiB")))
                .flatMap(Quantity::bytes)
                .filter(memory -> !memory.isZero());
    }

    /// This device, completed by what another answer says of it.
    XpuSmiDevice with(XpuSmiDevice other) {
        Map<String, String> all = new LinkedHashMap<>(other.properties);
        all.putAll(properties);
        return new XpuSmiDevice(id, all);
    }

    /// Whether it is Intel's: another vendor's tool has the same name.
    boolean isIntel() {
        return find("vendor_name").or(() -> find("device_name")).or(() -> find("name")).stream()
                .allMatch(text -> text.toLowerCase(Locale.ROOT).contains("intel"));
    }
}
