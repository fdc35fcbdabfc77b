package dev.muster.detect.vendor;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.detect.text.Amount;
import dev.muster.detect.tool.Sighting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads `xpu-smi -m` of Kunlunxin: a line of columns for each device, without a header. Intel's tool of that name
/// answers with sentences, which are no such lines. Pure.
final class KunlunParser {
    private static final int NUMBER = 1;
    private static final int TEMPERATURE = 4;
    private static final int POWER = 8;
    private static final int USED = 17;
    private static final int TOTAL = 18;
    private static final int UTILIZATION = 19;
    private static final int LEAST = 21;

    private KunlunParser() {}

    static List<AcceleratorProfile> parse(String text, Provenance source) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        for (String line : text.split("\n")) {
            String[] words = line.strip().split("\\s+");
            if (words.length < LEAST || devices.size() >= Sighting.MAX_DEVICES) {
                continue;
            }
            Optional<Long> number = Amount.count(words[NUMBER], Sighting.MAX_DEVICES);
            Optional<Long> used = Amount.count(words[USED], Long.MAX_VALUE);
            Optional<Long> total = Amount.count(words[TOTAL], Long.MAX_VALUE);
            if (number.isPresent() && used.isPresent() && total.isPresent() && used.get() <= total.get()) {
                devices.add(new Sighting(AcceleratorKind.KUNLUN_XPU, number.get(), source)
                        .text(DeviceFact.DEVICE_NAME, quoted(line))
                        .with(DeviceFact.PCI_ADDRESS, PciAddress.find(words[0]))
                        .with(DeviceFact.MEMORY, Amount.bytes(words[TOTAL], "MiB"))
                        .with(DeviceFact.MEMORY_USED, Amount.bytes(words[USED], "MiB"))
                        .with(DeviceFact.TEMPERATURE, Amount.celsius(words[TEMPERATURE]))
                        .with(DeviceFact.POWER, Amount.watts(words[POWER]))
                        .with(DeviceFact.UTILIZATION, Amount.percent(words[UTILIZATION]))
                        .build());
            }
        }
        return devices;
    }

    private static String quoted(String line) {
        int start = line.indexOf('"');
        int end = line.indexOf('"', start + 1);
        return start < 0 || end < 0 ? "" : line.substring(start + 1, end);
    }
}
