// SPDX-License-Identifier: Apache-2.0
package dev.muster.micrometer;

import dev.muster.monitor.Sampler.Sample;
import dev.muster.monitor.metric.DeviceMetric;
import dev.muster.monitor.metric.MetricFamily.MetricPoint;
import dev.muster.monitor.metric.MetricKind;
import dev.muster.monitor.metric.MetricNames;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The meters of one registry. Safe to share between threads.
final class DeviceMeters {
    private static final List<DeviceMetric> METRICS = DeviceMetric.all(MetricNames.MUSTER);
    /// The host is a tag of the application, where it wants it.
    private static final String HOST = "host";

    private static final String UNKNOWN = "unknown";

    private final MeterRegistry registry;
    private final List<Tag> tags;
    private final Map<Key, Registered> meters = new HashMap<>();
    private long newest;
    private boolean closed;

    DeviceMeters(MeterRegistry registry, List<Tag> tags) {
        this.registry = registry;
        this.tags = tags;
    }

    /// Takes the numbers of a sample, unless a newer one was taken.
    synchronized void update(Sample sample) {
        if (closed || sample.number() <= newest) {
            return;
        }
        newest = sample.number();
        Set<Key> gone = new HashSet<>(meters.keySet());
        for (DeviceMetric metric : METRICS) {
            for (MetricPoint point : metric.points(sample.registry())) {
                Key key = new Key(metric.name(), point.labels());
                gone.remove(key);
                Registered known = meters.get(key);
                if (known == null) {
                    meters.put(key, register(metric, point));
                } else {
                    known.cell.value = point.value();
                }
            }
        }
        gone.forEach(this::remove);
    }

    synchronized void close() {
        closed = true;
        List.copyOf(meters.keySet()).forEach(this::remove);
    }

    private void remove(Key key) {
        Registered gone = meters.remove(key);
        if (gone != null) {
            registry.remove(gone.meter);
        }
    }

    private Registered register(DeviceMetric metric, MetricPoint point) {
        Cell cell = new Cell(point.value());
        List<Tag> all = tags(metric, point);
        String name = name(metric);
        @Nullable String unit = metric.unit().isEmpty() ? null : metric.unit();
        Meter meter = metric.kind() == MetricKind.COUNTER
                ? FunctionCounter.builder(name, cell, Cell::value)
                        .tags(all)
                        .baseUnit(unit)
                        .description(metric.help())
                        .register(registry)
                : Gauge.builder(name, cell, Cell::value)
                        .tags(all)
                        .baseUnit(unit)
                        .description(metric.help())
                        .register(registry);
        return new Registered(meter, cell);
    }

    private List<Tag> tags(DeviceMetric metric, MetricPoint point) {
        List<Tag> all = new ArrayList<>(tags);
        for (String label : metric.labelNames()) {
            if (!label.equals(HOST)) {
                all.add(Tag.of(label, point.labels().getOrDefault(label, UNKNOWN)));
            }
        }
        return all;
    }

    /// Registries put the unit at the end of a name that does not have it.
    private static String name(DeviceMetric metric) {
        String end = "_" + metric.unit();
        String name = metric.name();
        String bare = metric.unit().isEmpty() ? name : name.substring(0, name.length() - end.length());
        return bare.replace('_', '.');
    }

    private record Key(String name, Map<String, String> labels) {}

    /// Registries hold the cell weakly; this holds it.
    private record Registered(Meter meter, Cell cell) {}

    private static final class Cell {
        volatile double value;

        Cell(double value) {
            this.value = value;
        }

        double value() {
            return value;
        }
    }
}
