package dev.muster.detect.qualcomm;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Reads `qaic-util -q`: a line `QID 0` for each chip, then lines such as `Status:Ready` (Qualcomm Cloud AI SDK user
/// guide, 2026-11). Pure; lines it does not know are skipped, and amounts count only with their unit.
final class QaicUtilParser {
    private static final int MAX_DEVICES = 1024;
    private static final String START = "QID ";

    private QaicUtilParser() {}

    /// The devices that a text lists; none where it is something else.
    static List<AcceleratorProfile> parse(String text, Provenance source) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        List<String> block = new ArrayList<>();
        for (String line : text.split("\n")) {
            String item = line.strip();
            if (item.startsWith(START)) {
                finish(block, source).ifPresent(devices::add);
                block.clear();
            }
            if (devices.size() < MAX_DEVICES) {
                block.add(item);
            }
        }
        finish(block, source).ifPresent(devices::add);
        return devices;
    }

    private static Optional<AcceleratorProfile> finish(List<String> block, Provenance source) {
        if (block.isEmpty() || !block.getFirst().startsWith(START)) {
            return Optional.empty();
        }
        return Amount.count(block.getFirst().substring(START.length()), MAX_DEVICES)
                .map(number -> device(number, block, source));
    }

    private static AcceleratorProfile device(long number, List<String> block, Provenance source) {
        AcceleratorProfile.Builder device =
                AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.QUALCOMM_AI100, number));
        for (String line : block) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                String key = line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
                add(device, key, line.substring(colon + 1).strip(), source);
            }
        }
        return device.build();
    }

    private static void add(AcceleratorProfile.Builder device, String key, String value, Provenance source) {
        if (value.isEmpty()) {
            return;
        }
        switch (key) {
            case "status" -> {
                boolean ready = value.equalsIgnoreCase("ready");
                device.available(ready).with(DeviceFact.HEALTH, Reading.known(ready ? "ok" : value, source));
            }
            case "pci address" -> with(device, DeviceFact.PCI_ADDRESS, PciAddress.find(value), source);
            case "fw version" -> with(device, DeviceFact.FIRMWARE_VERSION, Optional.of(value), source);
            case "dram total" -> with(device, DeviceFact.MEMORY, Amount.bytes(value), source);
            case "dram free" -> with(device, DeviceFact.MEMORY_FREE, Amount.bytes(value), source);
            case "nsp total" -> with(device, DeviceFact.COMPUTE_UNITS, Amount.count(value, MAX_DEVICES), source);
            default -> {}
        }
    }

    private static <T> void with(
            AcceleratorProfile.Builder device, DeviceFact<T> fact, Optional<T> value, Provenance source) {
        value.ifPresent(known -> device.with(fact, Reading.known(known, source)));
    }
}
