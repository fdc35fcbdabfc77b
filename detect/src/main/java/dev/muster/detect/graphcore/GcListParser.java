// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.graphcore;

import dev.muster.core.PciAddress;
import dev.muster.core.json.JsonValue;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.JsonFields;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Reads `gc-info`. Pure.
final class GcListParser {
    private static final int MAX_DEVICES = 1024;
    private static final String ITEM = "-+- Id:";
    private static final String GROUP = "Multi IPU";

    private GcListParser() {}

    /// The IPUs of a listing (`gc-info -l`) by their number, with the address that the listing gives, or a blank
    /// one for those that a fabric reaches. Groups of several IPUs have numbers too and are left out: they name
    /// the same chips again. Cards say what they are behind `type:`, IPU-M2000 behind `target:`.
    static Map<Long, String> parse(String text) {
        Map<Long, String> devices = new LinkedHashMap<>();
        for (String line : text.split("\n")) {
            String card = bracketed(line, "type:");
            String type = card.isEmpty() ? bracketed(line, "target:") : card;
            if (!line.strip().startsWith(ITEM) || type.isEmpty() || type.equals(GROUP)) {
                continue;
            }
            Optional<Long> number = Amount.count(bracketed(line, "Id:"), MAX_DEVICES);
            if (number.isPresent() && devices.size() < MAX_DEVICES) {
                String domain = bracketed(line, "PCI Domain:");
                devices.putIfAbsent(number.get(), PciAddress.find(domain).isPresent() ? domain : "");
            }
        }
        return devices;
    }

    /// The text in the brackets behind a word.
    private static String bracketed(String line, String word) {
        int start = line.indexOf(word);
        int open = start < 0 ? -1 : line.indexOf('[', start);
        int close = open < 0 ? -1 : line.indexOf(']', open);
        return close < 0 ? "" : line.substring(open + 1, close).strip();
    }

    /// The memory that a description of one IPU (`gc-info -d 0 -i`) tells: JSON with bytes, or a line with its unit.
    static Optional<Bytes> parseMemory(String text) {
        if (text.strip().startsWith("{")) {
            return JsonFields.parse(text.strip())
                    .flatMap(root -> bytes(root, "memory").or(() -> bytes(root, "sram_size")));
        }
        return Amount.memoryLine(text, "MB", "GB");
    }

    private static Optional<Bytes> bytes(JsonValue root, String name) {
        return JsonFields.text(root, name).flatMap(digits -> Amount.bytes(digits, "B"));
    }
}
