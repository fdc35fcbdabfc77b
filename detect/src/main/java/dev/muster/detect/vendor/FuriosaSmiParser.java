package dev.muster.detect.vendor;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.PipeTable;
import dev.muster.detect.tool.Sighting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Reads the table of `furiosa-smi info`, whose columns differ between versions. Pure.
final class FuriosaSmiParser {
    private static final String NODE = "npu";

    private FuriosaSmiParser() {}

    static List<AcceleratorProfile> parse(String text, Provenance source) {
        List<String> header = List.of();
        List<AcceleratorProfile> devices = new ArrayList<>();
        for (List<String> row : PipeTable.rows(text)) {
            if (row.contains("Arch") && row.contains("Device")) {
                header = row;
                continue;
            }
            String node = cell(header, row, "Device");
            Optional<Long> number = node.startsWith(NODE)
                    ? Amount.count(node.substring(NODE.length()), Sighting.MAX_DEVICES)
                    : Optional.empty();
            if (number.isPresent() && devices.size() < Sighting.MAX_DEVICES) {
                devices.add(device(header, row, number.get(), source));
            }
        }
        return devices;
    }

    private static AcceleratorProfile device(List<String> header, List<String> row, long number, Provenance source) {
        return new Sighting(AcceleratorKind.FURIOSA, number, source)
                .text(DeviceFact.DEVICE_NAME, cell(header, row, "Arch").toUpperCase(Locale.ROOT))
                .text(DeviceFact.FIRMWARE_VERSION, cell(header, row, "Firmware"))
                .with(DeviceFact.TEMPERATURE, Amount.celsius(cell(header, row, "Temp.")))
                .with(DeviceFact.POWER, Amount.watts(cell(header, row, "Power")))
                .with(DeviceFact.PCI_ADDRESS, PciAddress.find(cell(header, row, "PCI-BDF")))
                .build();
    }

    private static String cell(List<String> header, List<String> row, String column) {
        int index = header.indexOf(column);
        return index < 0 || index >= row.size() ? "" : row.get(index);
    }
}
