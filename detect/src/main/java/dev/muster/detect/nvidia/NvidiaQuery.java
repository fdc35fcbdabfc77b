// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.text.CsvReader;
import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// The output of `nvidia-smi --query-gpu=… --format=csv`. Nothing is quoted, so a comma in a GPU's name looks like one
/// between columns: columns are counted from both ends, and what is left between is the name.
///
/// @param rows a GPU each
/// @param faults errors in the lines that are not rows
record NvidiaQuery(List<Row> rows, List<String> faults) {
    /// The columns that are asked for, in the order of ai-hwaccel.
    static final List<String> COLUMNS = List.of(
            "index",
            "memory.total",
            "memory.used",
            "memory.free",
            "compute_cap",
            "driver_version",
            "name",
            "temperature.gpu",
            "power.draw",
            "utilization.gpu",
            "clocks.max.memory");

    /// The facts of the columns. Of two columns of one fact the later counts more.
    private static final List<Column<?>> FACTS = List.of(
            new Column<>("name", DeviceFact.DEVICE_NAME, NvidiaValue::deviceName),
            new Column<>("uuid", DeviceFact.UUID, NvidiaValue::text),
            new Column<>("pci.bus_id", DeviceFact.PCI_ADDRESS, NvidiaSmiGpu::address),
            new Column<>("pci.device_id", DeviceFact.PCI_ID, NvidiaSmiGpu::pciId),
            new Column<>("memory.total", DeviceFact.MEMORY, NvidiaValue::mebibytes),
            new Column<>("memory.reserved", DeviceFact.MEMORY_RESERVED, NvidiaValue::mebibytes),
            new Column<>("memory.used", DeviceFact.MEMORY_USED, NvidiaValue::mebibytes),
            new Column<>("memory.free", DeviceFact.MEMORY_FREE, NvidiaValue::mebibytes),
            new Column<>("compute_cap", DeviceFact.COMPUTE_CAPABILITY, NvidiaValue::text),
            new Column<>("driver_version", DeviceFact.DRIVER_VERSION, NvidiaValue::text),
            new Column<>("vbios_version", DeviceFact.FIRMWARE_VERSION, NvidiaValue::capitals),
            new Column<>("temperature.gpu", DeviceFact.TEMPERATURE, NvidiaValue::celsius),
            new Column<>("temperature.memory", DeviceFact.MEMORY_TEMPERATURE, NvidiaValue::celsius),
            new Column<>("power.draw", DeviceFact.POWER, NvidiaValue::watts),
            new Column<>("power.limit", DeviceFact.POWER_LIMIT, NvidiaValue::watts),
            new Column<>("enforced.power.limit", DeviceFact.POWER_LIMIT, NvidiaValue::watts),
            new Column<>("utilization.gpu", DeviceFact.UTILIZATION, NvidiaValue::percent),
            new Column<>("clocks.current.sm", DeviceFact.CLOCK, NvidiaValue::megahertz),
            new Column<>("clocks.max.sm", DeviceFact.CLOCK_MAX, NvidiaValue::megahertz),
            new Column<>("clocks.current.memory", DeviceFact.MEMORY_CLOCK, NvidiaValue::megahertz),
            new Column<>("clocks.max.memory", DeviceFact.MEMORY_CLOCK_MAX, NvidiaValue::megahertz),
            new Column<>("ecc.mode.current", DeviceFact.ECC, NvidiaValue::enabled),
            new Column<>("ecc.errors.corrected.volatile.total", DeviceFact.ECC_CORRECTED, NvidiaQuery::errors),
            new Column<>("ecc.errors.uncorrected.volatile.total", DeviceFact.ECC_UNCORRECTED, NvidiaQuery::errors),
            new Column<>(
                    "ecc.errors.uncorrected.aggregate.total", DeviceFact.ECC_UNCORRECTED_LIFETIME, NvidiaQuery::errors),
            new Column<>(
                    "compute_mode",
                    DeviceFact.COMPUTE_MODE,
                    value -> value.text().map(NvmlHealth::computeMode)),
            new Column<>("mig.mode.current", DeviceFact.PARTITIONING, NvidiaSmiGpu::partitioning),
            new Column<>("pcie.link.gen.max", DeviceFact.PCIE_GENERATION_MAX, NvidiaSmiGpu::generation),
            new Column<>("pcie.link.gen.current", DeviceFact.PCIE_GENERATION, NvidiaSmiGpu::generation),
            new Column<>("pcie.link.width.max", DeviceFact.PCIE_WIDTH_MAX, NvidiaSmiGpu::width),
            new Column<>("pcie.link.width.current", DeviceFact.PCIE_WIDTH, NvidiaSmiGpu::width));

    private static final int LEAST_FIELDS = 6;
    private static final long MAX_INDEX = 1024;

    NvidiaQuery {
        rows = List.copyOf(rows);
        faults = List.copyOf(faults);
    }

    private static Reading<Long> errors(NvidiaValue value) {
        return value.count("", Long.MAX_VALUE);
    }

    /// The row of a GPU.
    Optional<Row> find(long index) {
        return rows.stream().filter(row -> row.index() == index).findFirst();
    }

    /// Rows without a header, of the columns that are asked for.
    static NvidiaQuery parse(String text) {
        return parse(text, COLUMNS);
    }

    /// Rows without a header.
    ///
    /// @param columns the queried columns
    static NvidiaQuery parse(String text, List<String> columns) {
        List<Row> rows = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        for (String line : text.split("\n")) {
            if (line.isBlank() || rows.size() >= MAX_INDEX || faults.size() >= MAX_INDEX) {
                continue;
            }
            List<String> cells = CsvReader.fieldsOf(line);
            if (cells.size() < Math.min(LEAST_FIELDS, columns.size())) {
                faults.add("expected 6+ CSV fields, got " + cells.size() + ": " + NvidiaFormatException.quote(line));
            } else {
                addRow(rows, faults, name(cells, columns));
            }
        }
        return new NvidiaQuery(rows, faults);
    }

    private static void addRow(List<Row> rows, List<String> faults, Map<String, String> values) {
        String text = values.getOrDefault("index", "");
        Optional<Long> index = Amount.count(text.startsWith("+") ? text.substring(1) : text, Long.MAX_VALUE);
        if (index.isEmpty()) {
            faults.add("invalid device id '" + NvidiaFormatException.quote(text) + "'");
        } else if (index.get() > MAX_INDEX) {
            faults.add("device id " + index.get() + " exceeds maximum (" + MAX_INDEX + ")");
        } else {
            rows.add(new Row(index.get(), values));
        }
    }

    /// Cells under the names of their columns. Older tools answer fewer columns: those at the end are missing then.
    private static Map<String, String> name(List<String> cells, List<String> columns) {
        Map<String, String> values = new LinkedHashMap<>();
        int extra = Math.max(0, cells.size() - columns.size());
        int place = 0;
        for (String column : columns) {
            if (place >= cells.size()) {
                break;
            }
            // A header may name the column twice; only the first can have taken the rest.
            int end = Math.min(cells.size(), place + (column.equals("name") ? extra + 1 : 1));
            values.put(column, String.join(", ", cells.subList(place, end)));
            place = end;
        }
        return values;
    }

    /// One GPU.
    ///
    /// @param index the GPU's number
    /// @param values the values, by the name of the column
    record Row(long index, Map<String, String> values) {
        Row {
            values = Map.copyOf(values);
        }

        /// The value of a column; blank where it was not asked for.
        String value(String column) {
            return values.getOrDefault(column, "");
        }

        /// The device, with a reading for each column that was asked for. Memory that the tool does not tell is
        /// unknown: on chips that share memory with the processor that is always so.
        AcceleratorProfile profile(Provenance source) {
            AcceleratorProfile.ProfileBuilder device =
                    AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, index));
            FACTS.forEach(fact -> fact.addTo(device, this, source));
            boolean broken =
                    values.values().stream().anyMatch(text -> new NvidiaValue(text, source).reportsBrokenGpu());
            return device.available(!broken).build();
        }
    }

    private record Column<T>(String name, DeviceFact<T> fact, Function<NvidiaValue, Reading<T>> conversion) {
        void addTo(AcceleratorProfile.ProfileBuilder device, Row row, Provenance source) {
            if (row.values().containsKey(name)) {
                device.with(fact, conversion.apply(new NvidiaValue(row.value(name), source)));
            }
        }
    }
}
