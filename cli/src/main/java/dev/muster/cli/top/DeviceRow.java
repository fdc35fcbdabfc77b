// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/// A device in the table, with what is computed from its facts.
///
/// @param device the device
/// @param depth 1 for a partition below its parent, else 0
record DeviceRow(AcceleratorProfile device, int depth) {
    /// The orders of devices.
    enum Sort {
        INDEX("index"),
        LOAD("load"),
        MEMORY("memory"),
        POWER("power"),
        TEMPERATURE("temperature");

        private final String word;

        Sort(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }

        Sort next() {
            List<Sort> all = List.of(values());
            return all.get((all.indexOf(this) + 1) % all.size());
        }
    }

    /// Returns the devices but the processor, which the host's line tells of; it too where there is nothing else.
    static List<AcceleratorProfile> shown(AcceleratorRegistry registry) {
        List<AcceleratorProfile> accelerators = new ArrayList<>();
        for (AcceleratorProfile device : registry.profiles()) {
            if (device.accelerator().kind() != AcceleratorKind.CPU) {
                accelerators.add(device);
            }
        }
        return accelerators.isEmpty() ? registry.profiles() : accelerators;
    }

    /// Returns the devices whose id or name has a text in it, sorted; in the order of the registry, partitions stand
    /// below their parents.
    static List<DeviceRow> arrange(AcceleratorRegistry registry, String filter, Sort sort) {
        List<DeviceRow> rows = new ArrayList<>();
        for (AcceleratorProfile device : shown(registry)) {
            DeviceRow row = new DeviceRow(device, device.partition().isPresent() ? 1 : 0);
            if (row.matches(filter)) {
                rows.add(row);
            }
        }
        if (sort == Sort.INDEX) {
            return belowParents(rows);
        }
        rows.sort(Comparator.comparing(
                row -> row.by(sort), Comparator.comparing(value -> -value.orElse(Double.NEGATIVE_INFINITY))));
        return rows;
    }

    private static List<DeviceRow> belowParents(List<DeviceRow> rows) {
        Map<String, List<DeviceRow>> parts = new LinkedHashMap<>();
        for (DeviceRow row : rows) {
            row.device
                    .partition()
                    .ifPresent(part -> parts.computeIfAbsent(part.parent().text(), _ -> new ArrayList<>())
                            .add(row));
        }
        List<DeviceRow> ordered = new ArrayList<>();
        for (DeviceRow row : rows) {
            if (row.depth == 0) {
                ordered.add(row);
                List<DeviceRow> own = parts.remove(row.device.id().text());
                ordered.addAll(own == null ? List.of() : own);
            }
        }
        // Those whose parents are not shown.
        parts.values().forEach(ordered::addAll);
        return ordered;
    }

    private OptionalDouble by(Sort sort) {
        return switch (sort) {
            case INDEX -> OptionalDouble.empty();
            case LOAD -> load();
            case MEMORY -> memoryShare();
            case POWER -> number(DeviceFact.POWER);
            case TEMPERATURE -> number(DeviceFact.TEMPERATURE);
        };
    }

    /// Share of time it was busy.
    OptionalDouble load() {
        return number(DeviceFact.UTILIZATION);
    }

    /// Memory in use, in bytes.
    OptionalDouble memoryUsed() {
        OptionalDouble used = number(DeviceFact.MEMORY_USED);
        OptionalDouble free = number(DeviceFact.MEMORY_FREE);
        OptionalDouble all = number(DeviceFact.MEMORY);
        return used.isPresent() || free.isEmpty() || all.isEmpty()
                ? used
                : OptionalDouble.of(Math.max(0, all.getAsDouble() - free.getAsDouble()));
    }

    OptionalDouble memoryShare() {
        return share(memoryUsed(), number(DeviceFact.MEMORY));
    }

    OptionalDouble powerShare() {
        return share(number(DeviceFact.POWER), number(DeviceFact.POWER_LIMIT));
    }

    OptionalDouble number(DeviceFact<?> fact) {
        return device.number(fact);
    }

    static OptionalDouble share(OptionalDouble part, OptionalDouble whole) {
        return part.isPresent() && whole.isPresent() && whole.getAsDouble() > 0
                ? OptionalDouble.of(part.getAsDouble() / whole.getAsDouble())
                : OptionalDouble.empty();
    }

    private boolean matches(String filter) {
        String lower = filter.toLowerCase(Locale.ROOT);
        return lower.isEmpty()
                || device.id().text().toLowerCase(Locale.ROOT).contains(lower)
                || device.deviceName()
                        .find()
                        .orElse("")
                        .toLowerCase(Locale.ROOT)
                        .contains(lower);
    }
}
