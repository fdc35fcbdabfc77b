// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.tool;

import dev.muster.core.PciAddress;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A device as a tool describes it: texts by the names of its columns or properties. Immutable.
///
/// @param number the tool's number for it
/// @param fields the columns of the row, by name
public record ToolRow(long number, Map<String, String> fields) {
    /// The largest number that a device may have.
    public static final long MAX_NUMBER = 1024;

    /// Copies the fields.
    public ToolRow {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /// The device of a line of values under their columns; nothing where its number is none.
    ///
    /// @param column column of the number
    public static Optional<ToolRow> find(List<String> columns, List<String> values, String column) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < columns.size() && i < values.size(); i++) {
            fields.putIfAbsent(columns.get(i), values.get(i));
        }
        return find(fields, column);
    }

    /// The device of some fields; nothing where its number is none.
    ///
    /// @param column column of the number
    public static Optional<ToolRow> find(Map<String, String> fields, String column) {
        return Amount.count(fields.getOrDefault(column, ""), MAX_NUMBER).map(number -> new ToolRow(number, fields));
    }

    /// The text of a field; words for "not known" are none.
    public Optional<String> find(String name) {
        return Optional.ofNullable(fields.get(name)).map(String::strip).filter(ToolRow::says);
    }

    private static boolean says(String text) {
        String bare = text.replace("[", "").replace("]", "").strip().toUpperCase(Locale.ROOT);
        return !bare.isEmpty() && !bare.equals("N/A") && !bare.equals("NOT SUPPORTED") && !bare.equals("UNKNOWN");
    }

    /// An amount of memory, in the given unit where the tool prints none.
    public Optional<Bytes> findBytes(String name, String unit) {
        return find(name).flatMap(text -> Amount.bytes(text, unit));
    }

    /// A whole number.
    public Optional<Long> findCount(String name) {
        return find(name).flatMap(text -> Amount.count(text, Integer.MAX_VALUE));
    }

    /// A place on the PCI bus.
    public Optional<PciAddress> findAddress(String name) {
        return find(name).flatMap(PciAddress::find);
    }

    /// Devices, completed by what another answer says of those with the same numbers.
    public static List<ToolRow> complete(List<ToolRow> first, List<ToolRow> second) {
        return first.stream()
                .map(device -> second.stream()
                        .filter(other -> other.number == device.number)
                        .findFirst()
                        .map(device::with)
                        .orElse(device))
                .toList();
    }

    private ToolRow with(ToolRow other) {
        Map<String, String> all = new LinkedHashMap<>(other.fields);
        all.putAll(fields);
        return new ToolRow(number, all);
    }
}
