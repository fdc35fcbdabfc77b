package dev.muster.detect.hwloc;

import dev.muster.detect.text.CpuSet;

/// Reads sets of processors as hwloc writes them: `0x0000ffff,,0x0000ffff`, 32 in each part, the lowest last, nothing
/// where a part is empty.
final class HwlocBitmap {
    private static final int DIGITS = 8;
    private static final String PREFIX = "0x";

    private HwlocBitmap() {}

    /// The set; the empty one where the text is none, or has no end (`0xf...f`).
    static CpuSet parse(String text) {
        StringBuilder mask = new StringBuilder();
        for (String part : text.split(",", -1)) {
            String digits = part.startsWith(PREFIX) ? part.substring(PREFIX.length()) : part;
            if (digits.length() > DIGITS) {
                return CpuSet.NONE;
            }
            mask.repeat('0', DIGITS - digits.length()).append(digits);
        }
        return CpuSet.parseMask(mask.toString()).orElse(CpuSet.NONE);
    }
}
