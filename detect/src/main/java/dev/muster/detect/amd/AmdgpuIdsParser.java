package dev.muster.detect.amd;

import java.util.Optional;

/// Reads libdrm's list of marketing names: lines such as `744C,	C8,	AMD Radeon RX 7900 XTX`.
final class AmdgpuIdsParser {
    private static final int PARTS = 3;

    private AmdgpuIdsParser() {}

    /// The name of a device in one of its revisions.
    static Optional<String> find(String text, int device, int revision) {
        for (String line : text.split("\n")) {
            String[] parts = line.split(",", PARTS);
            if (parts.length == PARTS
                    && AmdText.hex16(parts[0].strip())
                            .filter(id -> id == device)
                            .isPresent()
                    && AmdText.hex16(parts[1].strip())
                            .filter(number -> number == revision)
                            .isPresent()
                    && !parts[2].isBlank()) {
                return Optional.of(parts[2].strip());
            }
        }
        return Optional.empty();
    }
}
