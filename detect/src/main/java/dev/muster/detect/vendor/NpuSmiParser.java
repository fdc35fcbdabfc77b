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
import java.util.Optional;

/// Reads the table of `npu-smi info`: two lines of three cells for each die. The widths and some columns differ between
/// versions, so cells are taken apart at blanks. Two dies may share a bus id: the die is the device. Pure.
final class NpuSmiParser {
    private static final String VERSION = "Version:";
    private static final int CELLS = 3;
    private static final String MEGABYTES = "MB";

    private final Provenance source;
    private final List<AcceleratorProfile> devices = new ArrayList<>();
    private String version = "";

    private NpuSmiParser(Provenance source) {
        this.source = source;
    }

    static List<AcceleratorProfile> parse(String text, Provenance source) {
        NpuSmiParser parser = new NpuSmiParser(source);
        parser.read(PipeTable.rows(text));
        return parser.devices;
    }

    private void read(List<List<String>> rows) {
        List<String> upper = List.of();
        for (List<String> row : rows) {
            String first = row.getFirst();
            if (row.size() > 1 && row.get(1).startsWith("Process")) {
                return;
            }
            if (row.size() == 1 && first.contains(VERSION)) {
                version = first.substring(first.indexOf(VERSION) + VERSION.length())
                        .strip();
            }
            boolean isDevice = row.size() == CELLS && !first.isEmpty() && Character.isDigit(first.charAt(0));
            if (!isDevice) {
                upper = List.of();
            } else if (upper.isEmpty()) {
                upper = row;
            } else {
                add(upper, row);
                upper = List.of();
            }
        }
    }

    private void add(List<String> upper, List<String> lower) {
        String[] name = upper.getFirst().split("\\s+");
        String[] place = lower.getFirst().split("\\s+");
        if (devices.size() >= Sighting.MAX_DEVICES || name.length < 2) {
            return;
        }
        // The second number is the device's own (Device, Phy-ID); old versions have only the chip's within its card.
        long number = place.length > 1
                ? Amount.count(place[1], Sighting.MAX_DEVICES).orElse((long) devices.size())
                : devices.size();
        String[] state = upper.get(2).split("\\s+");
        List<String> use = List.of(lower.get(2).replace('/', ' ').strip().split("\\s+"));
        Sighting device = new Sighting(AcceleratorKind.HUAWEI_ASCEND, number, source)
                .text(DeviceFact.DEVICE_NAME, name[1].startsWith("Ascend") ? name[1] : "Ascend " + name[1])
                .text(DeviceFact.DRIVER_VERSION, version)
                .health(upper.get(1), "OK")
                .with(DeviceFact.PCI_ADDRESS, PciAddress.find(lower.get(1)))
                .with(DeviceFact.POWER, Amount.watts(state[0]))
                .with(DeviceFact.TEMPERATURE, state.length > 1 ? Amount.celsius(state[1]) : Optional.empty());
        if (!use.isEmpty()) {
            device.with(DeviceFact.UTILIZATION, Amount.percent(use.getFirst()));
        }
        // The last pair is the high-bandwidth memory; where a die has none, it is absent, or 0 of 0.
        int pair = use.size() >= 5 && !use.get(4).equals("0") ? 3 : 1;
        if (use.size() > pair + 1 && !use.get(pair + 1).equals("0")) {
            device.with(DeviceFact.MEMORY, Amount.bytes(use.get(pair + 1), MEGABYTES))
                    .with(DeviceFact.MEMORY_USED, Amount.bytes(use.get(pair), MEGABYTES));
        }
        devices.add(device.build());
    }
}
