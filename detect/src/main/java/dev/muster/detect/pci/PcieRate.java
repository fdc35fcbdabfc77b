// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.pci;

import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.text.Amount;
import java.util.Optional;

/// The rate of a PCI Express link: the speed of each lane and the number of lanes.
///
/// @param gigatransfers the rate of a lane, in GT/s
/// @param width the number of lanes
public record PcieRate(double gigatransfers, long width) {
    /// From the third generation on 128 bits travel as 130, before that 8 as 10.
    private static final double NEW_CODING = 128.0 / 130.0;

    private static final double OLD_CODING = 0.8;
    private static final double NEW_CODING_FROM = 8.0;
    private static final int BITS_PER_BYTE = 8;
    private static final double HUNDRED = 100.0;
    private static final double FASTEST = 256;
    private static final long WIDEST = 32;
    /// The rate of a lane by generation, in GT/s.
    static final double[] GENERATIONS = {2.5, 5, 8, 16, 32, 64, 128};

    /// Reads the rate of a lane, such as `16.0 GT/s PCIe`; `Unknown` is none.
    public static Optional<Double> parseSpeed(String text) {
        return Amount.decimal(text, "GT/s", "GT/s PCIe").filter(speed -> speed > 0 && speed <= FASTEST);
    }

    /// Reads the number of lanes; 0 and 255 are what ports without a link say.
    public static Optional<Long> parseWidth(String text) {
        return Amount.count(text, WIDEST).filter(lanes -> lanes > 0);
    }

    /// Reads the generation out of the rate of a lane.
    public static Optional<Long> parseGeneration(String text) {
        double speed = parseSpeed(text).orElse(0.0);
        for (int i = 0; i < GENERATIONS.length; i++) {
            if (GENERATIONS[i] == speed) {
                return Optional.of(i + 1L);
            }
        }
        return Optional.empty();
    }

    /// The rate of all lanes one way, in whole hundredths of GB/s.
    public Bandwidth bandwidth() {
        double coding = gigatransfers >= NEW_CODING_FROM ? NEW_CODING : OLD_CODING;
        return new Bandwidth(Math.round(gigatransfers * width * coding / BITS_PER_BYTE * HUNDRED) / HUNDRED);
    }
}
