// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vendor;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.ProcessList;
import dev.muster.core.Provenance;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.PipeTable;
import dev.muster.detect.tool.ToolDevice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads the table of `npu-smi info`: two lines of three cells for each die. The widths and some columns differ between
/// versions, so cells are taken apart at blanks. Two dies may share a bus id: the die is the device. For the Ascend 950
/// number and name have a cell each, and the second line begins with two empty ones. Pure.
final class NpuSmiParser {
    private static final String VERSION = "Version:";
    private static final int CELLS = 3;
    private static final int WIDE_CELLS = 4;
    private static final String MEGABYTES = "MB";

    private final Provenance source;
    private final List<Die> dies = new ArrayList<>();
    private final Map<String, List<ProcessList.DeviceProcess>> processes = new HashMap<>();
    private boolean areProcessesListed;
    private String version = "";

    private NpuSmiParser(Provenance source) {
        this.source = source;
    }

    static List<AcceleratorProfile> parse(String text, Provenance source) {
        NpuSmiParser parser = new NpuSmiParser(source);
        parser.read(PipeTable.rows(text));
        return parser.devices();
    }

    private void read(List<List<String>> rows) {
        List<String> upper = List.of();
        boolean areProcesses = false;
        for (List<String> row : rows) {
            String first = row.getFirst();
            areProcesses |= row.size() > 1 && row.get(1).startsWith("Process");
            if (areProcesses) {
                addProcess(row);
                continue;
            }
            if (row.size() == 1 && first.contains(VERSION)) {
                version = first.substring(first.indexOf(VERSION) + VERSION.length())
                        .strip();
            }
            boolean isNumbered = !first.isEmpty() && Character.isDigit(first.charAt(0));
            if (row.size() == WIDE_CELLS && isNumbered) {
                upper = List.of(first + " " + row.get(1), row.get(2), row.get(CELLS));
            } else if (row.size() == WIDE_CELLS && first.isEmpty() && !upper.isEmpty()) {
                add(upper, List.of("", row.get(2), row.get(CELLS)));
                upper = List.of();
            } else if (row.size() != CELLS || !isNumbered) {
                upper = List.of();
            } else if (upper.isEmpty()) {
                upper = row;
            } else {
                add(upper, row);
                upper = List.of();
            }
        }
    }

    /// A line of the second table: NPU and chip, process, name, megabytes.
    private void addProcess(List<String> row) {
        Optional<Long> process =
                row.size() == WIDE_CELLS ? Amount.count(row.get(1), Integer.MAX_VALUE) : Optional.empty();
        process.ifPresent(pid -> processes
                .computeIfAbsent(row.getFirst().replaceAll("\\s+", " "), _ -> new ArrayList<>())
                .add(new ProcessList.DeviceProcess(
                        pid, row.get(2), Amount.bytes(row.get(CELLS), MEGABYTES).orElse(null))));
        areProcessesListed = true;
    }

    private void add(List<String> upper, List<String> lower) {
        String[] name = upper.getFirst().split("\\s+");
        String[] place = lower.getFirst().split("\\s+");
        if (dies.size() >= ToolDevice.MAX_DEVICES || name.length < 2) {
            return;
        }
        // The second number is the device's own (Device, Phy-ID); old versions have only the chip's within its card.
        String own = place[0].isEmpty() ? name[0] : place.length > 1 ? place[1] : "";
        long number = Amount.count(own, ToolDevice.MAX_DEVICES).orElse((long) dies.size());
        dies.add(new Die(number, name[1], (name[0] + " " + place[0]).strip(), upper, lower));
    }

    /// The devices. Where two dies say the same number, which containers do, only their place tells them apart.
    private List<AcceleratorProfile> devices() {
        boolean unique = dies.stream().map(Die::number).distinct().count() == dies.size();
        List<AcceleratorProfile> devices = new ArrayList<>();
        for (Die die : dies) {
            devices.add(describe(die, unique ? die.number() : devices.size()));
        }
        return devices;
    }

    private AcceleratorProfile describe(Die die, long number) {
        List<String> upper = die.upper();
        List<String> lower = die.lower();
        String[] state = upper.get(2).split("\\s+");
        List<String> use = List.of(lower.get(2).replace('/', ' ').strip().split("\\s+"));
        ToolDevice device = new ToolDevice(AcceleratorKind.HUAWEI_ASCEND, number, source)
                .text(DeviceFact.DEVICE_NAME, die.name().startsWith("Ascend") ? die.name() : "Ascend " + die.name())
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
        if (areProcessesListed) {
            device.with(
                    DeviceFact.PROCESSES, Optional.of(new ProcessList(processes.getOrDefault(die.place(), List.of()))));
        }
        return device.build();
    }

    /// @param number the number in the table
    /// @param place number of its card and of the chip on it, as the table of processes names it
    /// @param upper the cells of its first line: number and name, health, load
    /// @param lower the cells of its second line: place, bus id, use
    private record Die(long number, String name, String place, List<String> upper, List<String> lower) {}
}
