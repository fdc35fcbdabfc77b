package dev.muster.detect.amd;

import dev.muster.core.PciAddress;
import dev.muster.core.unit.Bandwidth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads what `amd-smi xgmi` prints: lines such as `GPU0   0000:0c:00.0 32 Gb/s  512 Gb/s      XGMI`, among others.
final class AmdSmiXgmiParser {
    private static final int WORDS = 7;
    private static final int ADDRESS = 1;
    private static final int LANE = 2;
    private static final int LINK = 4;
    private static final int TYPE = 6;
    private static final double BITS_PER_BYTE = 8;
    private static final int MAX_GPUS = 1024;

    private AmdSmiXgmiParser() {}

    static List<XgmiPort> parse(String text) {
        List<XgmiPort> ports = new ArrayList<>();
        for (String line : text.split("\n")) {
            String[] words = line.strip().split("[ \t]+");
            if (words.length >= WORDS
                    && ports.size() < MAX_GPUS
                    && words[0].startsWith("GPU")
                    && words[TYPE].equals("XGMI")) {
                Optional<PciAddress> address = PciAddress.find(words[ADDRESS]);
                Optional<Double> lane = gigabits(words, LANE);
                Optional<Double> link = gigabits(words, LINK);
                if (address.isPresent() && lane.isPresent() && link.isPresent()) {
                    ports.add(new XgmiPort(address.get(), lane.get(), new Bandwidth(link.get() / BITS_PER_BYTE)));
                }
            }
        }
        return ports;
    }

    private static Optional<Double> gigabits(String[] words, int index) {
        return words[index + 1].equals("Gb/s")
                ? AmdText.leadingNumber(words[index]).filter(value -> value > 0)
                : Optional.empty();
    }
}
