// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.device;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.OutputFormat;
import dev.muster.cli.option.UsageException;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.ReferenceDocument;
import dev.muster.core.json.RegistryDocument;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.DeviceField;
import dev.muster.report.text.DeviceRenderer;
import dev.muster.report.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Prints the devices of a registry in the format asked for.
///
/// @param chosen the fields asked for; empty when none were
public record DeviceOutput(Arguments arguments, Terminal terminal, OutputFormat format, List<DeviceField> chosen) {
    public static final OptionSpec FIELDS =
            OptionSpec.value("fields", "NAMES", "columns to show, separated by commas, such as id,name,memory");
    public static final OptionSpec COLUMNS =
            OptionSpec.value("columns", "NAMES", "same as --fields; also accepts ai-hwaccel's names: device, mem, bw");
    static final OptionSpec NO_HEADER = OptionSpec.flag("no-header", "omit the header line of tables, CSV and TSV");
    static final OptionSpec NO_UNITS = OptionSpec.flag("no-units", "omit units in tables");
    static final OptionSpec REFERENCE = OptionSpec.flag("reference", "use ai-hwaccel's JSON format (schema 3)");

    public static DeviceOutput of(Arguments arguments, Terminal terminal) {
        OutputFormat format = arguments.has(REFERENCE) && !arguments.has(CommonOptions.OUTPUT)
                ? OutputFormat.JSON
                : OutputFormat.of(arguments);
        boolean document = format.isDocument();
        if (arguments.has(REFERENCE) && !document) {
            throw new UsageException("--reference requires --output json or yaml");
        }
        if (arguments.has(FIELDS) && arguments.has(COLUMNS)) {
            throw new UsageException("give either --fields or --columns, not both");
        }
        OptionSpec choice = arguments.has(COLUMNS) ? COLUMNS : FIELDS;
        if (arguments.has(choice) && (document || format == OutputFormat.NAME)) {
            throw new UsageException("--" + choice.name() + " requires --output table, wide, csv or tsv");
        }
        Optional<List<DeviceField>> chosen = arguments.find(choice).map(DeviceOutput::chosenFields);
        return new DeviceOutput(arguments, terminal, format, chosen.orElse(List.of()));
    }

    boolean isTable() {
        return format == OutputFormat.TABLE || format == OutputFormat.WIDE;
    }

    public String render(AcceleratorRegistry registry) {
        List<AcceleratorProfile> devices = registry.profiles();
        return switch (format) {
            case TABLE, WIDE -> renderer(devices).table(devices, terminal);
            case CSV -> renderer(devices).csv(devices);
            case TSV -> renderer(devices).tsv(devices);
            case NAME -> DeviceRenderer.names(devices);
            case JSON -> document(registry, terminal.tty()) + "\n";
            case YAML -> JsonValue.parse(document(registry, false)).toYaml();
        };
    }

    private String document(AcceleratorRegistry registry, boolean indented) {
        if (!arguments.has(REFERENCE)) {
            return indented ? RegistryDocument.writeIndented(registry) : RegistryDocument.write(registry);
        }
        try {
            return indented ? ReferenceDocument.writeIndented(registry) : ReferenceDocument.write(registry);
        } catch (DocumentException e) {
            throw new CommandException(String.valueOf(e.getMessage()));
        }
    }

    private DeviceRenderer renderer(List<AcceleratorProfile> devices) {
        return new DeviceRenderer(fields(devices), !arguments.has(NO_HEADER), !arguments.has(NO_UNITS), isBrief());
    }

    /// Returns the fields to show of some devices.
    public List<DeviceField> fields(List<AcceleratorProfile> devices) {
        return chosen.isEmpty() ? usualFields(devices) : chosen;
    }

    /// Reports whether long ids are shortened.
    public boolean isBrief() {
        return format == OutputFormat.TABLE;
    }

    private List<DeviceField> usualFields(List<AcceleratorProfile> devices) {
        if (format == OutputFormat.TABLE) {
            return DeviceField.forTable(devices);
        }
        return format == OutputFormat.WIDE ? DeviceField.forWideTable(devices) : DeviceField.ALL;
    }

    private static List<DeviceField> chosenFields(String names) {
        List<DeviceField> fields = new ArrayList<>();
        for (String name : names.split(",", -1)) {
            fields.add(DeviceField.find(name.strip()).orElseThrow(() -> unknownField(name.strip())));
        }
        return fields;
    }

    private static UsageException unknownField(String name) {
        List<String> names = new ArrayList<>();
        DeviceField.ALL.forEach(field -> names.add(field.name()));
        DeviceField.COMBINED.forEach(field -> names.add(field.name()));
        return new UsageException(
                "unknown field '" + Printable.of(name) + "'" + UsageException.hintOrAll(name, names, "; fields are "));
    }
}
