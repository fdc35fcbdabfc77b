// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vendor;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.text.CsvReader;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.PipeTable;
import dev.muster.detect.text.TextBlock;
import dev.muster.detect.tool.ToolDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Reads tools that print lines and tables, a text for each. Pure.
final class TextToolParser {
    private static final int QUERY_FIELDS = 4;
    /// The columns of `xpu-smi -m`.
    private static final int NUMBER = 1;

    private static final int TEMPERATURE = 4;
    private static final int POWER = 8;
    private static final int USED = 17;
    private static final int TOTAL = 18;
    private static final int UTILIZATION = 19;
    private static final int LEAST = 21;

    private TextToolParser() {}

    /// `--query-gpu=index,driver_version,name,memory.total --format=csv` of tools that take after `nvidia-smi`, such as
    /// `ixsmi`: a header, then a line for each GPU.
    static List<AcceleratorProfile> queryCsv(String text, AcceleratorKind kind, Provenance source) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        String unit = "";
        boolean begun = false;
        for (String line : text.split("\n")) {
            List<String> fields = CsvReader.fieldsOf(line);
            if (fields.getFirst().startsWith("index") && fields.size() == QUERY_FIELDS) {
                // A line with the time may stand before the header, and the unit in the header alone.
                begun = true;
                unit = fields.get(3).contains("[MiB]") ? "MiB" : "";
                continue;
            }
            Optional<Long> number = Amount.count(fields.getFirst(), ToolDevice.MAX_DEVICES);
            if (begun
                    && fields.size() == QUERY_FIELDS
                    && number.isPresent()
                    && devices.size() < ToolDevice.MAX_DEVICES) {
                devices.add(new ToolDevice(kind, number.get(), source)
                        .text(DeviceFact.DRIVER_VERSION, fields.get(1))
                        .text(DeviceFact.DEVICE_NAME, fields.get(2))
                        .with(DeviceFact.MEMORY, Amount.bytes(fields.get(3), unit))
                        .build());
            }
        }
        return devices;
    }

    /// `xpu-smi -m` of Kunlunxin: a line of columns for each device, without a header. Intel's tool of that name
    /// answers with sentences, which are not such lines.
    static List<AcceleratorProfile> kunlun(String text, Provenance source) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        for (String line : text.split("\n")) {
            String[] words = line.strip().split("\\s+");
            if (words.length < LEAST || devices.size() >= ToolDevice.MAX_DEVICES) {
                continue;
            }
            Optional<Long> number = Amount.count(words[NUMBER], ToolDevice.MAX_DEVICES);
            Optional<Bytes> used = Amount.bytes(words[USED], "MiB");
            Optional<Bytes> total = Amount.bytes(words[TOTAL], "MiB");
            if (number.isPresent()
                    && used.isPresent()
                    && total.isPresent()
                    && used.get().compareTo(total.get()) <= 0) {
                devices.add(new ToolDevice(AcceleratorKind.KUNLUN_XPU, number.get(), source)
                        .text(DeviceFact.DEVICE_NAME, quoted(line))
                        .with(DeviceFact.PCI_ADDRESS, PciAddress.find(words[0]))
                        .with(DeviceFact.MEMORY, total)
                        .with(DeviceFact.MEMORY_USED, used)
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

    /// The table of `furiosa-smi info`, whose columns differ between versions.
    static List<AcceleratorProfile> furiosaSmi(String text, Provenance source) {
        List<String> header = List.of();
        List<AcceleratorProfile> devices = new ArrayList<>();
        for (List<String> row : PipeTable.rows(text)) {
            if (row.contains("Arch") && row.contains("Device")) {
                header = row;
                continue;
            }
            Optional<Long> number = Amount.numbered(cell(header, row, "Device"), "npu", ToolDevice.MAX_DEVICES);
            if (number.isPresent() && devices.size() < ToolDevice.MAX_DEVICES) {
                devices.add(new ToolDevice(AcceleratorKind.FURIOSA, number.get(), source)
                        .text(DeviceFact.DEVICE_NAME, cell(header, row, "Arch").toUpperCase(Locale.ROOT))
                        .text(DeviceFact.FIRMWARE_VERSION, cell(header, row, "Firmware"))
                        .with(DeviceFact.TEMPERATURE, Amount.celsius(cell(header, row, "Temp.")))
                        .with(DeviceFact.POWER, Amount.watts(cell(header, row, "Power")))
                        .with(DeviceFact.PCI_ADDRESS, PciAddress.find(cell(header, row, "PCI-BDF")))
                        .build());
            }
        }
        return devices;
    }

    private static String cell(List<String> header, List<String> row, String column) {
        int index = header.indexOf(column);
        return index < 0 || index >= row.size() ? "" : row.get(index);
    }

    /// `cnmon info -m`: a line `Card 0` for each card, then lines with a colon. Only the physical memory counts; the
    /// virtual one has lines of the same names.
    static List<AcceleratorProfile> cnmon(String text, Provenance source) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        for (TextBlock block : TextBlock.split(text, "Card ", ToolDevice.MAX_DEVICES)) {
            Amount.count(block.head().substring(block.head().lastIndexOf(' ') + 1), ToolDevice.MAX_DEVICES)
                    .ifPresent(number -> devices.add(card(number, block, source)));
        }
        return devices;
    }

    private static AcceleratorProfile card(long number, TextBlock block, Provenance source) {
        ToolDevice card = new ToolDevice(AcceleratorKind.CAMBRICON_MLU, number, source);
        boolean physical = false;
        for (String line : block.lines()) {
            String lower = line.toLowerCase(Locale.ROOT);
            String value = TextBlock.value(line);
            if (lower.contains("memory usage")) {
                physical = lower.contains("physical");
                continue;
            }
            switch (TextBlock.key(line)) {
                case "product name" -> card.text(DeviceFact.DEVICE_NAME, value);
                case "driver", "driver version" -> card.text(DeviceFact.DRIVER_VERSION, value);
                case "total" -> card.with(DeviceFact.MEMORY, physical ? Amount.bytes(value) : Optional.empty());
                case "used" -> card.with(DeviceFact.MEMORY_USED, physical ? Amount.bytes(value) : Optional.empty());
                default -> {}
            }
        }
        return card.build();
    }
}
