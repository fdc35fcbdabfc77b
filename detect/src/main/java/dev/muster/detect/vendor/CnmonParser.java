package dev.muster.detect.vendor;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import dev.muster.detect.tool.Sighting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Reads `cnmon info -m`: a line `Card 0` for each card, then lines with a colon. Only the physical memory counts; the
/// virtual one has lines of the same names. Pure.
final class CnmonParser {
    private static final String CARD = "Card ";

    private final Provenance source;
    private final List<AcceleratorProfile> devices = new ArrayList<>();
    private boolean physical;

    private CnmonParser(Provenance source) {
        this.source = source;
    }

    static List<AcceleratorProfile> parse(String text, Provenance source) {
        CnmonParser parser = new CnmonParser(source);
        List<String> block = new ArrayList<>();
        for (String line : text.split("\n")) {
            String item = line.strip();
            if (item.startsWith(CARD)) {
                parser.finish(block);
                block.clear();
            }
            block.add(item);
        }
        parser.finish(block);
        return parser.devices;
    }

    private void finish(List<String> block) {
        if (block.isEmpty() || !block.getFirst().startsWith(CARD) || devices.size() >= Sighting.MAX_DEVICES) {
            return;
        }
        String[] words = block.getFirst().split("\\s+");
        Optional<Long> number = Amount.count(words[words.length - 1], Sighting.MAX_DEVICES);
        if (number.isEmpty()) {
            return;
        }
        Sighting device = new Sighting(AcceleratorKind.CAMBRICON_MLU, number.get(), source);
        physical = false;
        for (String line : block) {
            add(device, line);
        }
        devices.add(device.build());
    }

    private void add(Sighting device, String line) {
        String lower = line.toLowerCase(Locale.ROOT);
        if (lower.contains("memory usage")) {
            physical = lower.contains("physical");
            return;
        }
        int colon = line.indexOf(':');
        if (colon < 0) {
            return;
        }
        String value = line.substring(colon + 1);
        switch (lower.substring(0, colon).strip()) {
            case "product name" -> device.text(DeviceFact.DEVICE_NAME, value);
            case "driver", "driver version" -> device.text(DeviceFact.DRIVER_VERSION, value);
            case "total" -> addMemory(device, DeviceFact.MEMORY, value);
            case "used" -> addMemory(device, DeviceFact.MEMORY_USED, value);
            default -> {}
        }
    }

    private void addMemory(Sighting device, DeviceFact<Bytes> fact, String value) {
        if (physical) {
            device.with(fact, Amount.bytes(value));
        }
    }
}
