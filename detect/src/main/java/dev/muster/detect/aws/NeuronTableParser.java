// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.aws;

import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.PipeTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads the tables of `neuron-ls`. Their headers have two lines and changed with each generation; the rows of a device
/// that several programs use are continued without its number. Pure.
final class NeuronTableParser {
    private static final String FIRST_GENERATION = "inf1";

    private final Provenance source;
    private final Map<String, Integer> columns = new LinkedHashMap<>();
    private final List<NeuronLsParser.Listing.Device> devices = new ArrayList<>();

    private NeuronTableParser(Provenance source) {
        this.source = source;
    }

    /// Reads a text.
    ///
    /// @return nothing where it holds no such table
    static Optional<NeuronLsParser.Listing> parse(String text, Provenance source) {
        return new NeuronTableParser(source).read(text);
    }

    private Optional<NeuronLsParser.Listing> read(String text) {
        List<List<String>> rows = PipeTable.rows(text);
        if (rows.size() < 2) {
            return Optional.empty();
        }
        List<String> upper = rows.get(0);
        List<String> lower = rows.get(1);
        for (int i = 0; i < upper.size(); i++) {
            String second = i < lower.size() ? lower.get(i) : "";
            columns.putIfAbsent((upper.get(i) + " " + second).strip(), i);
        }
        if (!columns.containsKey("NEURON CORES")) {
            return Optional.empty();
        }
        for (List<String> row : rows.subList(2, rows.size())) {
            if (devices.size() < NeuronLsParser.MAX_DEVICES) {
                addDevice(row);
            }
        }
        // Only the first generation has memory channels and neighbours by compass point.
        String model = columns.containsKey("EAST") ? FIRST_GENERATION : value(text, "instance-type:");
        return Optional.of(new NeuronLsParser.Listing(model, value(text, "logical-neuroncore-config:"), devices));
    }

    private void addDevice(List<String> row) {
        Optional<Long> number = Amount.count(
                cell(row, columns.containsKey("LOGICAL ID") ? "LOGICAL ID" : "NEURON DEVICE"),
                NeuronLsParser.MAX_DEVICES);
        Optional<Long> cores = Amount.count(cell(row, "NEURON CORES"), NeuronLsParser.MAX_CORES);
        if (number.isEmpty() || cores.isEmpty()) {
            return;
        }
        devices.add(new NeuronLsParser.Listing.Device(
                number.get(),
                cores.get(),
                known(memory(row)),
                known(PciAddress.find(cell(row, "PCI BDF"))),
                known(Amount.count(cell(row, "NUMA NODE"), NeuronLsParser.MAX_DEVICES)),
                neighbours(row, number.get()),
                "",
                Optional.empty()));
    }

    private Optional<Bytes> memory(List<String> row) {
        if (columns.containsKey("NEURON MEMORY")) {
            return Amount.bytes(cell(row, "NEURON MEMORY"));
        }
        Optional<Bytes> first = Amount.bytes(cell(row, "MEMORY CHANNEL 0"));
        Optional<Bytes> second = Amount.bytes(cell(row, "MEMORY CHANNEL 1"));
        return first.flatMap(bytes -> second.map(bytes::saturatingPlus));
    }

    private List<Long> neighbours(List<String> row, long self) {
        List<Long> numbers = new ArrayList<>();
        String cells = cell(row, "CONNECTED DEVICES") + "," + cell(row, "EAST") + "," + cell(row, "WEST");
        for (String cell : cells.split(",")) {
            Amount.count(cell, NeuronLsParser.MAX_DEVICES)
                    .filter(number -> number != self && !numbers.contains(number))
                    .ifPresent(numbers::add);
        }
        return numbers;
    }

    private String cell(List<String> row, String column) {
        Integer index = columns.get(column);
        return index == null || index >= row.size() ? "" : row.get(index);
    }

    private <T> Reading<T> known(Optional<T> value) {
        return Reading.of(value, source, source.source() + " does not report it");
    }

    private static String value(String text, String key) {
        for (String line : text.split("\n")) {
            if (line.startsWith(key)) {
                return line.substring(key.length()).strip();
            }
        }
        return "";
    }
}
