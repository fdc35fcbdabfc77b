package dev.muster.detect.amd;

import dev.muster.core.unit.Bandwidth;
import java.util.Optional;

/// The signalling rate of a PCI Express link, as the kernel writes it: `16.0 GT/s PCIe`.
///
/// @param gigatransfers transfers per second and lane, in 10^9
record PcieSpeed(double gigatransfers) {
    private static final double BITS_PER_BYTE = 8;
    /// Generations 1 and 2 send 10 bits for 8, generations 3 to 5 send 130 for 128.
    private static final double OLD_CODE = 0.8;
    private static final double NEW_CODE = 128.0 / 130.0;
    private static final int LAST_OLD_GENERATION = 2;

    static Optional<PcieSpeed> parse(String text) {
        return AmdText.leadingNumber(text)
                .map(PcieSpeed::new)
                .filter(speed -> speed.findGeneration().isPresent());
    }

    Optional<Long> findGeneration() {
        double[] rates = {2.5, 5, 8, 16, 32, 64};
        for (int i = 0; i < rates.length; i++) {
            if (rates[i] == gigatransfers) {
                return Optional.of(i + 1L);
            }
        }
        return Optional.empty();
    }

    /// The rate of some lanes in each direction.
    Bandwidth rate(long lanes) {
        boolean old = findGeneration()
                .filter(generation -> generation <= LAST_OLD_GENERATION)
                .isPresent();
        return new Bandwidth(gigatransfers * (old ? OLD_CODE : NEW_CODE) / BITS_PER_BYTE * lanes);
    }
}
