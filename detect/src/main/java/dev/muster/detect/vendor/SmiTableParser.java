// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vendor;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.unit.Watts;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.PipeTable;
import dev.muster.detect.tool.ToolDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads the table that tools print without arguments which take after `nvidia-smi`, such as `ixsmi`, `cnmon`,
/// `mx-smi`,
/// `efsmi` and `mthreads-gmi`: two lines of three cells for each card. The first has number, name and bus id, the
/// second temperature and power; the memory has a cell in either. Pure.
final class SmiTableParser {
    private static final int CELLS = 3;
    private static final String MEBIBYTES = "MiB";
    /// The length of `00:2d:00.0`.
    private static final int SHORT_ADDRESS = 10;

    private static final String CUT = "...";
    private static final String NO_FUNCTION = "/";

    private SmiTableParser() {}

    static List<AcceleratorProfile> parse(String text, AcceleratorKind kind, Provenance source) {
        String driver = driver(text);
        List<AcceleratorProfile> devices = new ArrayList<>();
        List<String> upper = List.of();
        for (List<String> row : PipeTable.rows(framed(text))) {
            boolean isCard = row.size() == CELLS
                    && number(row.getFirst()).isPresent()
                    && address(row).isPresent();
            if (isCard) {
                upper = row;
            } else if (!upper.isEmpty() && row.size() == CELLS && devices.size() < ToolDevice.MAX_DEVICES) {
                devices.add(device(kind, upper, row, source)
                        .text(DeviceFact.DRIVER_VERSION, driver)
                        .build());
                upper = List.of();
            }
        }
        return devices;
    }

    private static ToolDevice device(AcceleratorKind kind, List<String> upper, List<String> lower, Provenance source) {
        List<Watts> power = power(lower.getFirst());
        String memory = memory(upper, lower);
        int slash = memory.indexOf('/');
        String used = slash < 0 ? "" : memory.substring(0, slash);
        return new ToolDevice(kind, number(upper.getFirst()).orElseThrow(), source)
                .text(DeviceFact.DEVICE_NAME, name(upper.getFirst()))
                .text(
                        DeviceFact.FIRMWARE_VERSION,
                        address(upper.get(1)).isPresent() ? firmware(upper.getFirst()) : upper.get(1))
                .with(DeviceFact.PCI_ADDRESS, address(upper))
                .with(DeviceFact.MEMORY, Amount.bytes(memory.substring(slash + 1)))
                .with(DeviceFact.MEMORY_USED, Amount.bytes(used, MEBIBYTES))
                .with(DeviceFact.TEMPERATURE, Amount.celsius(wordThatEnds(joined(lower), "C")))
                .with(DeviceFact.POWER, power.isEmpty() ? Optional.empty() : Optional.of(power.getFirst()))
                .with(DeviceFact.POWER_LIMIT, power.size() < 2 ? Optional.empty() : Optional.of(power.get(1)))
                .with(DeviceFact.UTILIZATION, Amount.percent(wordThatEnds(upper.get(2) + " " + lower.get(2), "%")));
    }

    /// Text whose lines have a bar between cells alone, with bars around them too.
    private static String framed(String text) {
        return text.startsWith("|") || text.contains("\n|") ? text : "|" + text.replace("\n", "|\n|") + "|";
    }

    private static Optional<PciAddress> address(List<String> row) {
        return address(row.get(1)).or(() -> address(row.get(2)));
    }

    /// The bus id that a cell begins with; some tools shorten the domain to two digits.
    private static Optional<PciAddress> address(String cell) {
        String word = words(cell).getFirst();
        return PciAddress.find(word.length() == SHORT_ADDRESS ? "00" + word : word);
    }

    /// The memory, as one of `116MiB / 32768MiB`, `666/65536 MiB` and `23552MiB`; some tools have what is in use before
    /// the whole in brackets.
    private static String memory(List<String> upper, List<String> lower) {
        String cell = lower.get(1).contains(MEBIBYTES) ? lower.get(1) : upper.get(2);
        int end = cell.lastIndexOf(MEBIBYTES);
        int start = cell.indexOf('%') + 1;
        return end < start
                ? ""
                : cell.substring(start, end + MEBIBYTES.length()).replace('(', '/');
    }

    private static String joined(List<String> lower) {
        return (lower.getFirst() + " " + lower.get(2)).replace(" C", "C").replace('\u2103', 'C');
    }

    private static Optional<Long> number(String cell) {
        int end = cell.indexOf(' ');
        return Amount.count(end < 0 ? cell : cell.substring(0, end), ToolDevice.MAX_DEVICES);
    }

    /// The words behind the number, without the virtual function and the firmware that some tools put there. A
    /// name that was cut to fit is none.
    private static String name(String cell) {
        List<String> words = words(cell);
        int end = firmware(cell).isEmpty() ? words.size() : words.size() - 1;
        int start = words.size() > 1 && words.get(1).equals(NO_FUNCTION) ? 2 : 1;
        // Whether the driver stays loaded stands behind the name.
        end -= words.get(end - 1).equals("On") || words.get(end - 1).equals("Off") ? 1 : 0;
        String name = start < end ? String.join(" ", words.subList(start, end)) : "";
        return name.endsWith(CUT) ? "" : name;
    }

    private static String firmware(String cell) {
        String last = words(cell).getLast();
        return last.length() > 1 && last.charAt(0) == 'v' && Character.isDigit(last.charAt(1)) ? last.substring(1) : "";
    }

    private static List<Watts> power(String cell) {
        List<Watts> found = new ArrayList<>();
        for (String word : words(cell.replace(" W", "W").replace('/', ' '))) {
            if (word.endsWith("W")) {
                Amount.watts(word).ifPresent(found::add);
            }
        }
        return found;
    }

    private static String wordThatEnds(String cell, String end) {
        return words(cell).stream()
                .filter(word -> word.endsWith(end))
                .findFirst()
                .orElse("");
    }

    private static List<String> words(String cell) {
        return List.of(cell.strip().split("\\s+"));
    }

    /// `Driver Version: 4.1.0`, `Driver Ver: 1.7.2` or `Driver v5.10.13`.
    private static String driver(String text) {
        for (String mark : List.of("Driver Version:", "Driver Ver:", "Driver v")) {
            int start = text.indexOf(mark);
            if (start >= 0) {
                return words(text.substring(start + mark.length())
                                .lines()
                                .findFirst()
                                .orElse(""))
                        .getFirst();
            }
        }
        return "";
    }
}
