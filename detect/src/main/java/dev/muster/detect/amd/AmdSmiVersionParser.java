package dev.muster.detect.amd;

import java.util.Optional;

/// Reads what `amd-smi version` prints: parts such as `ROCm version: 6.1.0` with bars between.
final class AmdSmiVersionParser {
    private static final String ROCM = "ROCm version:";

    private AmdSmiVersionParser() {}

    /// The version of ROCm.
    static Optional<String> findRocm(String text) {
        for (String part : text.split("[|\n]")) {
            String words = part.strip();
            if (words.startsWith(ROCM)) {
                return Optional.of(words.substring(ROCM.length()).strip())
                        .filter(version -> !version.isEmpty() && !version.equals("N/A"));
            }
        }
        return Optional.empty();
    }
}
