// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.gaudi;

import dev.muster.core.GaudiGeneration;
import java.util.Locale;
import java.util.Optional;

/// The generation of each product. An unknown product has no generation: none is assumed.
final class GaudiProducts {
    static final int VENDOR = 0x1da3;

    private static final String PRODUCT = "HL-";

    private GaudiProducts() {}

    /// By PCI id, as the driver habanalabs lists them (Linux 6.15) and Intel's list of Gaudi 3 devices.
    static Optional<GaudiGeneration> findById(int device) {
        return switch (device) {
            case 0x1000, 0x1001, 0x1010, 0x1011 -> Optional.of(GaudiGeneration.GAUDI1);
            case 0x1020 -> Optional.of(GaudiGeneration.GAUDI2);
            case 0x1060, 0x1063 -> Optional.of(GaudiGeneration.GAUDI3);
            default -> Optional.empty();
        };
    }

    /// By name: a product number such as `HL-225`, or the generation's own name. HL-200 to HL-209 are first-generation
    /// cards; HL-1xx are Goya, not Gaudi.
    static Optional<GaudiGeneration> findByName(String name) {
        String upper = name.toUpperCase(Locale.ROOT).replace(" ", "");
        int product = upper.indexOf(PRODUCT);
        if (product >= 0) {
            return findByNumber(upper.substring(product + PRODUCT.length()));
        }
        if (upper.contains("GAUDI3")) {
            return Optional.of(GaudiGeneration.GAUDI3);
        }
        if (upper.contains("GAUDI2")) {
            return Optional.of(GaudiGeneration.GAUDI2);
        }
        return upper.endsWith("GAUDI") ? Optional.of(GaudiGeneration.GAUDI1) : Optional.empty();
    }

    private static Optional<GaudiGeneration> findByNumber(String text) {
        if (text.length() < 3 || !isDigit(text.charAt(1)) || !isDigit(text.charAt(2))) {
            return Optional.empty();
        }
        return switch (text.charAt(0)) {
            case '2' -> Optional.of(text.charAt(1) == '0' ? GaudiGeneration.GAUDI1 : GaudiGeneration.GAUDI2);
            case '3' -> Optional.of(GaudiGeneration.GAUDI3);
            default -> Optional.empty();
        };
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
