package dev.muster.detect.amd;

import java.util.LinkedHashMap;
import java.util.Map;

/// Reads the driver's list of firmware in debugfs: lines such as
/// `SMC feature version: 0, firmware version: 0x001c2800`, and on newer kernels `VBIOS version: 113-…`.
final class AmdFirmwareParser {
    private static final String FEATURE = " feature version:";
    private static final String FIRMWARE = "firmware version:";
    private static final String VERSION = " version:";
    private static final int MAX_BLOCKS = 256;

    private AmdFirmwareParser() {}

    /// The version of each block's firmware, by the block's name.
    static Map<String, String> parse(String text) {
        Map<String, String> versions = new LinkedHashMap<>();
        for (String line : text.split("\n")) {
            int feature = line.indexOf(FEATURE);
            int end = feature >= 0 ? feature : line.indexOf(VERSION);
            int start = feature >= 0 ? line.indexOf(FIRMWARE) + FIRMWARE.length() : end + VERSION.length();
            boolean complete = feature < 0 || line.contains(FIRMWARE);
            if (end > 0 && complete && versions.size() < MAX_BLOCKS) {
                versions.put(line.substring(0, end), line.substring(start).strip());
            }
        }
        return versions;
    }
}
