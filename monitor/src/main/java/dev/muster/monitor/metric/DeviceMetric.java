// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor.metric;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.monitor.metric.MetricFamily.MetricPoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A metric of devices, for libraries that collect metrics: what it is called, what it means, and its numbers in a
/// registry. Immutable.
///
/// @since 0.2
public final class DeviceMetric {
    /// Units that end a name in Muster's naming; one that ends another comes after it.
    private static final List<String> UNITS =
            List.of("bytes_per_second", "bytes", "ratio", "watts", "joules", "celsius", "hertz");

    /// Up-down counters in OpenTelemetry's conventions (1.40).
    private static final Set<String> ADDITIVE = Set.of("hw.gpu.memory.limit", "hw.gpu.memory.usage", "hw.status");

    private final MetricNames names;
    private final String name;
    private final MetricKind kind;
    private final String unit;
    private final String help;
    /// Rows of the table that share the name; none for the metric that holds facts in its labels.
    private final List<Metric> rows;

    private DeviceMetric(MetricNames names, String name, MetricKind kind, String unit, String help, List<Metric> rows) {
        this.names = names;
        this.name = name;
        this.kind = kind;
        this.unit = unit;
        this.help = help;
        this.rows = List.copyOf(rows);
    }

    /// All metrics that a naming has, each name once.
    public static List<DeviceMetric> all(MetricNames names) {
        Map<String, List<Metric>> byName = new LinkedHashMap<>();
        for (Metric row : MetricTable.ROWS) {
            if (!row.name(names).isNone()) {
                byName.computeIfAbsent(spelling(row.name(names)), _ -> new ArrayList<>())
                        .add(row);
            }
        }
        List<DeviceMetric> metrics = new ArrayList<>();
        if (names == MetricNames.MUSTER) {
            metrics.add(new DeviceMetric(
                    names, MetricsText.FACTS, MetricKind.LABELS, "", MetricsText.FACTS_HELP, List.of()));
        }
        byName.forEach((name, rows) -> {
            Metric first = rows.getFirst();
            Metric.Name told = first.name(names);
            String unit = names == MetricNames.MUSTER ? unit(name) : told.unit();
            metrics.add(new DeviceMetric(names, name, first.kind(), unit, told.help(), rows));
        });
        return metrics;
    }

    /// The name as the naming itself spells it, without `_total`: `accel_memory_used_bytes`, `hw.gpu.memory.usage`.
    public String name() {
        return name;
    }

    /// The kind of its numbers.
    public MetricKind kind() {
        return kind;
    }

    /// Reports whether its numbers make sense when they are added up over devices, so that OpenTelemetry's conventions
    /// have an
    /// up-down counter where others have a gauge.
    public boolean isAdditive() {
        return ADDITIVE.contains(name);
    }

    /// The unit: the end of the name in Muster's naming, such as `bytes`; UCUM's in OpenTelemetry's, such as `By`;
    /// blank
    /// for numbers without a unit, and for DCGM's, which stand in the help alone.
    public String unit() {
        return unit;
    }

    /// One sentence with the unit.
    public String help() {
        return help;
    }

    /// The names of all labels that a point can have, in their order. A label that is unknown is not in the point.
    public List<String> labelNames() {
        List<String> all = new ArrayList<>();
        DeviceLabels.names(names).forEach(label -> all.add(spelling(label)));
        if (rows.isEmpty()) {
            all.addAll(DeviceLabels.FACTS);
        } else {
            Metric first = rows.getFirst();
            String fixed = first.name(names).labels();
            if (!fixed.isEmpty()) {
                all.add(spelling(fixed.substring(0, fixed.indexOf('='))));
            }
            first.label().ifPresent(label -> all.add(label.key()));
        }
        return all;
    }

    /// The numbers in a registry. A device whose number is unknown has none; the processor of the host is no
    /// accelerator. The host's name is not among the labels.
    public List<MetricPoint> points(AcceleratorRegistry registry) {
        List<AcceleratorProfile> devices = registry.profiles().stream()
                .filter(device -> device.accelerator().kind().family() != AcceleratorFamily.CPU)
                .toList();
        List<MetricPoint> points = new ArrayList<>();
        for (int i = 0; i < devices.size(); i++) {
            AcceleratorProfile device = devices.get(i);
            Map<String, String> labels = new LinkedHashMap<>();
            DeviceLabels.of(names, registry, device, i, "").forEach((key, text) -> labels.put(spelling(key), text));
            if (rows.isEmpty()) {
                labels.putAll(DeviceLabels.facts(device));
                points.add(new MetricPoint(labels, 1));
            }
            for (Metric row : rows) {
                point(row, device, labels).ifPresent(points::add);
            }
        }
        return points;
    }

    private Optional<MetricPoint> point(Metric row, AcceleratorProfile device, Map<String, String> ofDevice) {
        Metric.Name told = row.name(names);
        double value = row.value().of(device) * told.scale();
        Optional<String> text = row.label().flatMap(label -> label.text().apply(device));
        if (Double.isNaN(value) || (row.label().isPresent() && text.isEmpty())) {
            return Optional.empty();
        }
        Map<String, String> labels = new LinkedHashMap<>(ofDevice);
        String fixed = told.labels();
        if (!fixed.isEmpty()) {
            int equals = fixed.indexOf('=');
            labels.put(spelling(fixed.substring(0, equals)), fixed.substring(equals + 2, fixed.length() - 1));
        }
        row.label().ifPresent(label -> text.ifPresent(told1 -> labels.put(label.key(), told1)));
        return Optional.of(new MetricPoint(labels, value));
    }

    private static String spelling(Metric.Name name) {
        return name.original().isEmpty() ? name.name() : name.original();
    }

    /// The conventions' spelling of a label that Prometheus spells with `_`.
    private String spelling(String label) {
        if (names != MetricNames.OTEL) {
            return label;
        }
        return switch (label) {
            case "hw_driver_version" -> "hw.driver_version";
            case "hw_firmware_version" -> "hw.firmware_version";
            case "hw_sensor_location" -> "hw.sensor_location";
            default -> label.replace('_', '.');
        };
    }

    private static String unit(String name) {
        return UNITS.stream()
                .filter(unit -> name.endsWith("_" + unit))
                .findFirst()
                .orElse("");
    }
}
