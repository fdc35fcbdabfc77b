package dev.muster.detect.nvidia;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;

/// Memory errors since the driver started. Older drivers print totals, newer ones a counter for each kind of memory.
///
/// @param gpu the GPU's block
/// @param source where it was printed
record NvidiaEccCounters(NvidiaElement gpu, Provenance source) {
    private static final String BLOCK = "ecc_errors/volatile/";

    Reading<Long> corrected() {
        return sum("single_bit/total", "sram_correctable", "dram_correctable");
    }

    Reading<Long> uncorrected() {
        return sum(
                "double_bit/total",
                "sram_uncorrectable",
                "sram_uncorrectable_parity",
                "sram_uncorrectable_secded",
                "dram_uncorrectable");
    }

    /// The sum of what there is; one counter that cannot be read makes the sum unknown.
    private Reading<Long> sum(String... tags) {
        long sum = 0;
        boolean any = false;
        for (String tag : tags) {
            if (gpu.find(BLOCK + tag).isEmpty()) {
                continue;
            }
            Reading<Long> count =
                    new NvidiaValue(gpu.value(BLOCK + tag), source).count("", Long.MAX_VALUE / tags.length);
            if (!count.isKnown()) {
                return count;
            }
            sum += count.find().orElse(0L);
            any = true;
        }
        return any ? Reading.known(sum, source) : Reading.notSupported(source.source() + " does not say");
    }
}
