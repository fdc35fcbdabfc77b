// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import dev.muster.detect.text.Amount;
import dev.muster.detect.text.CpuSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An object of hwloc's tree.
///
/// @param type type of object: `Package`, `NUMANode`, `PCIDev`, `OSDev` …
/// @param attributes the attributes of its element
/// @param infos hwloc's notes about it by name, such as `GPUModel`
/// @param children the objects right below it
record HwlocObject(String type, Map<String, String> attributes, Map<String, String> infos, List<HwlocObject> children) {
    private static final int MASK_DIGITS = 8;

    HwlocObject {
        attributes = Map.copyOf(attributes);
        infos = Map.copyOf(infos);
        children = List.copyOf(children);
    }

    /// An attribute; blank where the object does not have it.
    String attribute(String name) {
        return attributes.getOrDefault(name, "").strip();
    }

    /// A note; nothing where it is missing or blank.
    Optional<String> findInfo(String name) {
        return Optional.ofNullable(infos.get(name)).map(String::strip).filter(text -> !text.isEmpty());
    }

    /// The name of an OS device, such as `nvml0`.
    String name() {
        return attribute("name");
    }

    /// The number that matrices know the object by.
    Optional<Long> findGlobalIndex() {
        return findCount("gp_index");
    }

    Optional<Long> findCount(String attribute) {
        return Amount.count(attribute(attribute), Long.MAX_VALUE);
    }

    /// Reads a set of processors as hwloc writes it: `0x0000ffff,,0x0000ffff`, 32 in each part, the lowest last,
    /// nothing where a part is empty. The empty set where the text is none, or has no end (`0xf...f`).
    static CpuSet parseCpus(String text) {
        StringBuilder mask = new StringBuilder();
        for (String part : text.split(",", -1)) {
            String digits = part.startsWith("0x") ? part.substring(2) : part;
            if (digits.length() > MASK_DIGITS) {
                return CpuSet.NONE;
            }
            mask.repeat('0', MASK_DIGITS - digits.length()).append(digits);
        }
        return CpuSet.parseMask(mask.toString()).orElse(CpuSet.NONE);
    }

    /// Returns the purpose of an OS device, as far as it matters here. Version 2 of the format numbers the types;
    /// version 3 has a bit for each.
    enum OsDeviceType {
        STORAGE(0, 1),
        NETWORK(2, 1 << 4),
        /// Network cards that can access memory remotely.
        OPEN_FABRICS(3, 1 << 5);

        private final long number;
        private final long bit;

        OsDeviceType(long number, long bit) {
            this.number = number;
            this.bit = bit;
        }
    }

    /// Reports whether it is an OS device of a type.
    ///
    /// @param version the first number of the format's version
    boolean is(OsDeviceType type, int version) {
        return findCount("osdev_type")
                .filter(told -> version == 2 ? told == type.number : (told & type.bit) != 0)
                .isPresent();
    }
}
