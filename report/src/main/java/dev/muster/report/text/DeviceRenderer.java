// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceId;
import dev.muster.core.Partition;
import dev.muster.report.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A renderer of devices as a table, as CSV or TSV, or by name.
///
/// @param fields fields to show
/// @param header true if a first line names the fields
/// @param units true if tables write units behind numbers
/// @param brief true if tables shorten the long ids of partitions
public record DeviceRenderer(List<DeviceField> fields, boolean header, boolean units, boolean brief) {
    private static final String INDENT = "  ";
    /// Longer ids of partitions are shortened to this many characters: a UUID to its first group.
    private static final int BRIEF_ID = 12;

    private static final String ID = "id";

    public DeviceRenderer {
        fields = List.copyOf(fields);
    }

    /// Returns a table for terminals; partitions stand below their parents.
    public String table(List<AcceleratorProfile> devices, Terminal terminal) {
        TextTable table =
                new TextTable(terminal, fields.stream().map(DeviceField::column).toList());
        boolean[] placed = new boolean[devices.size()];
        for (int i = 0; i < placed.length; i++) {
            if (!hasParent(devices.get(i), devices)) {
                addWithPartitions(devices, i, 0, placed, table, terminal);
            }
        }
        // Partitions of each other, which no valid document holds, have no first.
        for (int i = 0; i < placed.length; i++) {
            addWithPartitions(devices, i, 0, placed, table, terminal);
        }
        return table.render(header);
    }

    private static boolean hasParent(AcceleratorProfile device, List<AcceleratorProfile> devices) {
        Optional<Partition> partition = device.partition();
        if (partition.isPresent()) {
            for (AcceleratorProfile other : devices) {
                if (other.id().equals(partition.get().parent())) {
                    return true;
                }
            }
        }
        return false;
    }

    private void addWithPartitions(
            List<AcceleratorProfile> devices, int at, int depth, boolean[] placed, TextTable table, Terminal terminal) {
        if (placed[at]) {
            return;
        }
        placed[at] = true;
        table.add(row(devices.get(at), depth, terminal));
        DeviceId id = devices.get(at).id();
        for (int i = 0; i < placed.length; i++) {
            Optional<Partition> partition = devices.get(i).partition();
            if (partition.isPresent() && partition.get().parent().equals(id)) {
                addWithPartitions(devices, i, depth + 1, placed, table, terminal);
            }
        }
    }

    private List<TextTable.Cell> row(AcceleratorProfile device, int depth, Terminal terminal) {
        List<TextTable.Cell> cells = new ArrayList<>();
        for (DeviceField field : fields) {
            cells.add(
                    field.name().equals(ID)
                            ? new TextTable.Cell(INDENT.repeat(depth) + id(device, depth, terminal), false)
                            : cell(field, device, terminal));
        }
        return cells;
    }

    private String id(AcceleratorProfile device, int depth, Terminal terminal) {
        Optional<Partition> partition = device.partition();
        if (!brief || partition.isEmpty()) {
            return Printable.of(device.id().text());
        }
        String parent = depth > 0 ? "" : partition.get().parent().text() + "/";
        String own = partition.get().id();
        boolean cut = own.length() > BRIEF_ID + 1;
        return Printable.of(parent + (cut ? own.substring(0, BRIEF_ID) : own)) + (cut ? terminal.ellipsis() : "");
    }

    private TextTable.Cell cell(DeviceField field, AcceleratorProfile device, Terminal terminal) {
        Optional<?> value = field.value().apply(device);
        if (value.isEmpty()) {
            return new TextTable.Cell(terminal.unknown(), true);
        }
        String text = units ? Quantity.of(value.get()) : Quantity.bare(value.get());
        // Tones are only computed for colour.
        return new TextTable.Cell(text, terminal.color() ? DeviceTone.of(field.name(), device) : TextTable.Tone.USUAL);
    }

    /// Returns comma-separated values: base units, an empty cell for unknown values.
    public String csv(List<AcceleratorProfile> devices) {
        return lines(
                devices,
                cells -> SeparatedValues.csv(
                        cells.stream().map(Printable::withoutControls).toList()));
    }

    /// Returns tab-separated values: base units, an empty cell for unknown values.
    public String tsv(List<AcceleratorProfile> devices) {
        return lines(devices, SeparatedValues::tsv);
    }

    private String lines(List<AcceleratorProfile> devices, Function<List<String>, String> line) {
        StringBuilder out = new StringBuilder();
        List<DeviceField> single = DeviceField.forMachines(fields);
        if (header) {
            out.append(line.apply(single.stream().map(DeviceField::key).toList()));
        }
        for (AcceleratorProfile device : devices) {
            out.append(line.apply(single.stream()
                    .map(field ->
                            field.value().apply(device).map(Quantity::base).orElse(""))
                    .toList()));
        }
        return out.toString();
    }

    /// Returns the ids, one a line.
    public static String names(List<AcceleratorProfile> devices) {
        StringBuilder out = new StringBuilder();
        devices.forEach(device -> out.append(Printable.of(device.id().text())).append('\n'));
        return out.toString();
    }
}
