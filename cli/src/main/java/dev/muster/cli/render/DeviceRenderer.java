package dev.muster.cli.render;

import dev.muster.core.AcceleratorProfile;
import java.util.List;
import java.util.Optional;

/// Devices as a table, as CSV or by name.
///
/// @param fields what is shown
/// @param header whether a first line names the fields
/// @param units whether tables write units behind numbers
public record DeviceRenderer(List<DeviceField> fields, boolean header, boolean units) {
    /// Copies the fields.
    public DeviceRenderer {
        fields = List.copyOf(fields);
    }

    /// A table for people.
    public String table(List<AcceleratorProfile> devices, Terminal terminal) {
        TextTable table =
                new TextTable(terminal, fields.stream().map(DeviceField::column).toList());
        for (AcceleratorProfile device : devices) {
            table.add(fields.stream()
                    .map(field -> cell(field.value().apply(device), terminal))
                    .toList());
        }
        return table.render(header);
    }

    private TextTable.Cell cell(Optional<?> value, Terminal terminal) {
        return value.map(known -> new TextTable.Cell(units ? Quantity.of(known) : Quantity.bare(known), false))
                .orElseGet(() -> new TextTable.Cell(terminal.unknown(), true));
    }

    /// Comma-separated values for machines: base units, an empty cell for what is not known.
    public String csv(List<AcceleratorProfile> devices) {
        StringBuilder out = new StringBuilder();
        if (header) {
            out.append(Csv.line(fields.stream().map(DeviceField::key).toList()));
        }
        for (AcceleratorProfile device : devices) {
            out.append(Csv.line(fields.stream()
                    .map(field -> field.value()
                            .apply(device)
                            .map(Quantity::base)
                            .map(Printable::withoutControls)
                            .orElse(""))
                    .toList()));
        }
        return out.toString();
    }

    /// The ids, one a line.
    public static String names(List<AcceleratorProfile> devices) {
        StringBuilder out = new StringBuilder();
        devices.forEach(device -> out.append(Printable.of(device.id().text())).append('\n'));
        return out.toString();
    }
}
