// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.prices;

import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.plan.catalogue.CloudProvider;
import java.math.BigDecimal;
import java.util.List;

/// A machine whose price is looked for. What it is made of does not change; what it costs does.
///
/// @param shape its fields of the price catalogue, from `provider` to `interconnect`
record Machine(List<String> shape) {
    static final List<String> COLUMNS = List.of(
            "provider",
            "instance",
            "region",
            "accelerator",
            "count",
            "memory_gb_each",
            "vcpus",
            "ram_gb",
            "interconnect");

    private static final long MOST = 1_000_000;
    private static final int COUNT = 4;
    private static final int PROCESSORS = 6;
    private static final int GIGABYTES = 7;

    Machine {
        shape = List.copyOf(shape);
    }

    /// The machines of AWS, Azure and Google Cloud that the catalogue has or had.
    static List<Machine> builtIn() {
        return parse(CsvTable.resource(Machine.class, "machines.csv"));
    }

    static List<Machine> parse(String table) {
        return CsvTable.parse(table).checked(COLUMNS, List.of()).rows().stream()
                .map(Machine::of)
                .toList();
    }

    private static Machine of(CsvRow row) {
        row.requireCount("count", 1, MOST);
        row.requireCount("vcpus", 1, MOST);
        row.requirePositive("ram_gb", MOST);
        return new Machine(COLUMNS.stream().map(row::require).toList());
    }

    boolean isOf(CloudProvider provider) {
        return shape.getFirst().equals(provider.text());
    }

    String instance() {
        return shape.get(1);
    }

    String region() {
        return shape.get(2);
    }

    /// The columns that identify a row of the catalogue.
    List<String> key() {
        return shape.subList(0, 3);
    }

    BigDecimal devices() {
        return new BigDecimal(shape.get(COUNT));
    }

    BigDecimal processors() {
        return new BigDecimal(shape.get(PROCESSORS));
    }

    BigDecimal gigabytes() {
        return new BigDecimal(shape.get(GIGABYTES));
    }
}
