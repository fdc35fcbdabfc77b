// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.PciAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// A node of the compute driver's topology: a GPU, a partition of one, or a processor.
///
/// Files called `properties` have lines such as `simd_count 152`. Numbers are unsigned and fill 64 bits. Lines that are
/// no such pair are passed over.
///
/// @param number the node's number
/// @param properties all properties, as unsigned 64-bit numbers
record KfdNode(int number, Map<String, Long> properties) {
    private static final int MAX_PROPERTIES = 256;
    private static final int MAX_ID = 0xffff;
    private static final int MAJOR = 10_000;
    private static final int MINOR = 100;
    private static final int BUS_SHIFT = 8;
    private static final int DEVICE_SHIFT = 3;
    private static final int DEVICE_MASK = 0x1f;
    private static final int FUNCTION_MASK = 7;

    KfdNode {
        properties = Map.copyOf(properties);
    }

    /// Reads a node.
    static KfdNode parse(int number, String text) {
        return new KfdNode(number, properties(text));
    }

    /// All pairs of a file.
    static Map<String, Long> properties(String text) {
        Map<String, Long> values = new HashMap<>();
        for (String line : text.split("\n")) {
            int blank = line.indexOf(' ');
            if (blank > 0 && values.size() < MAX_PROPERTIES) {
                try {
                    String digits = line.substring(blank + 1).replace("\0", "").strip();
                    values.put(line.substring(0, blank), Long.parseUnsignedLong(digits));
                } catch (NumberFormatException _) {
                    // Not a pair.
                }
            }
        }
        return values;
    }

    /// A property; nothing where the kernel does not tell it.
    Optional<Long> find(String property) {
        return Optional.ofNullable(properties.get(property));
    }

    private Optional<Long> findPositive(String property) {
        return find(property).filter(value -> value > 0);
    }

    /// Reports whether the node is an AMD GPU; other vendors have drivers that show the same folder.
    boolean isAmdGpu() {
        return findPositive("simd_count").isPresent()
                && find("vendor_id").filter(value -> value == AmdCard.VENDOR).isPresent();
    }

    /// Reports whether processor and GPU are one node, as older APUs are.
    boolean hasProcessor() {
        return findPositive("cpu_cores_count").isPresent();
    }

    /// Returns the compilers' name of the chip: 90402 is `gfx942`, 90010 is `gfx90a`.
    Optional<String> findTarget() {
        return findPositive("gfx_target_version")
                .filter(value -> value < 100L * MAJOR)
                .map(value -> "gfx" + value / MAJOR
                        + Long.toHexString(value % MAJOR / MINOR)
                        + Long.toHexString(value % MINOR));
    }

    /// Compute units.
    Optional<Long> findComputeUnits() {
        return findPositive("simd_count")
                .flatMap(simds -> findPositive("simd_per_cu").map(perUnit -> simds / perUnit));
    }

    /// The id of the chip; 0, which APUs say, is none.
    Optional<Long> findUniqueId() {
        return find("unique_id").filter(value -> value != 0);
    }

    /// The id of the XGMI hive.
    Optional<Long> findHive() {
        return find("hive_id").filter(value -> value != 0);
    }

    /// The device's id on the PCI bus.
    Optional<Integer> findPciDevice() {
        return findPositive("device_id").filter(value -> value <= MAX_ID).map(Long::intValue);
    }

    /// Returns the place of the node. Partitions of one chip state functions that do not exist on the bus. Old kernels
    /// omit the domain, and then the place is not known.
    Optional<PciAddress> findAddress() {
        return find("domain")
                .filter(value -> value >= 0 && value <= Integer.MAX_VALUE)
                .flatMap(domain -> find("location_id")
                        .filter(value -> value > 0 && value <= MAX_ID)
                        .map(value -> new PciAddress(
                                domain.intValue(),
                                (int) (value >> BUS_SHIFT),
                                (int) (value >> DEVICE_SHIFT) & DEVICE_MASK,
                                (int) (value & FUNCTION_MASK))));
    }

    /// Reports whether two nodes are partitions of one chip: the same id and the same place on the bus, function aside.
    /// The two dies of an MI250X are at different places and are two devices, even with equal ids.
    boolean isSameChip(KfdNode other) {
        return findUniqueId().isPresent()
                && findUniqueId().equals(other.findUniqueId())
                && find("domain").equals(other.find("domain"))
                && find("location_id")
                        .map(value -> value >> DEVICE_SHIFT)
                        .equals(other.find("location_id").map(value -> value >> DEVICE_SHIFT));
    }

    /// Reports whether the node is at an address, function aside; without a domain of its own it agrees with every one.
    boolean isAt(PciAddress address) {
        int slot = (address.bus() << (BUS_SHIFT - DEVICE_SHIFT)) | address.device();
        return find("location_id")
                        .filter(value -> value >> DEVICE_SHIFT == slot)
                        .isPresent()
                && find("domain")
                        .map(domain -> domain == Integer.toUnsignedLong(address.domain()))
                        .orElse(true);
    }
}
