// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vendor;

import dev.muster.core.unit.Bytes;
import java.util.Locale;
import java.util.Optional;

/// The models of these vendors by PCI id and board name. Ids are from vendors' documents and drivers
/// (2026-11): leads, not captures.
final class VendorModels {
    private static final int VENDOR_SHIFT = 16;

    private VendorModels() {}

    /// The model with that id.
    static Optional<String> find(int vendor, int device) {
        return switch (vendor << VENDOR_SHIFT | device) {
            case 0x19e5_d100 -> Optional.of("Ascend 310");
            case 0x19e5_d500 -> Optional.of("Ascend 310P");
            case 0x19e5_d801 -> Optional.of("Ascend 910");
            case 0x19e5_d802 -> Optional.of("Ascend 910B");
            case 0x1e52_faca -> Optional.of("Grayskull");
            case 0x1e52_401e -> Optional.of("Wormhole");
            case 0x1e52_b140 -> Optional.of("Blackhole");
            case 0x1ed2_0000 -> Optional.of("WARBOY");
            case 0x1ed2_0001 -> Optional.of("RNGD");
            // The second of each pair is the virtual function that a guest sees.
            case 0x1eff_1120, 0x1eff_1121 -> Optional.of("RBLN-CA12");
            case 0x1eff_1220, 0x1eff_1221 -> Optional.of("RBLN-CA22");
            case 0x1eff_1250, 0x1eff_1251 -> Optional.of("RBLN-CA25");
            case 0x1eff_2030, 0x1eff_2031 -> Optional.of("RBLN-CR03");
            default -> Optional.empty();
        };
    }

    /// The memory of each chip on a Tenstorrent board, which no tool tells (docs.tenstorrent.com, 2026-11).
    static Optional<Bytes> findMemory(String board) {
        String name = board.toLowerCase(Locale.ROOT);
        if (name.startsWith("n150") || name.startsWith("n300")) {
            return Optional.of(Bytes.ofGib(12));
        }
        if (name.startsWith("p100")) {
            return Optional.of(Bytes.ofGib(28));
        }
        return name.startsWith("p150") || name.startsWith("p300") ? Optional.of(Bytes.ofGib(32)) : Optional.empty();
    }
}
