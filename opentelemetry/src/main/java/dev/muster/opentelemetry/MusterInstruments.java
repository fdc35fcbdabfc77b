// SPDX-License-Identifier: Apache-2.0
package dev.muster.opentelemetry;

import dev.muster.monitor.Sampler;
import dev.muster.monitor.metric.DeviceMetric;
import dev.muster.monitor.metric.MetricFamily.MetricPoint;
import dev.muster.monitor.metric.MetricKind;
import dev.muster.monitor.metric.MetricNames;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Devices that a sampler sees, as asynchronous instruments by the names of OpenTelemetry's semantic conventions for
/// hardware: `hw.gpu.utilization`, `hw.power` and others, with the attributes `hw.id`, `hw.name`, `hw.model` and so on.
/// Safe to share between threads; the caller of register closes it.
///
/// A collection reads the newest sample and asks no device. A number that is unknown is not observed; a device that is
/// gone is no longer observed.
///
/// @since 0.2
public final class MusterInstruments implements AutoCloseable {
    private final List<Runnable> ends;

    private MusterInstruments(List<Runnable> ends) {
        this.ends = ends;
    }

    /// Registers an instrument for each metric of the conventions that Muster knows.
    ///
    /// @param meter the meter of the instruments
    /// @param sampler the source of their numbers; not closed with them
    public static MusterInstruments register(Meter meter, Sampler sampler) {
        List<Runnable> ends = new ArrayList<>();
        for (DeviceMetric metric : DeviceMetric.all(MetricNames.OTEL)) {
            ends.add(register(
                    meter,
                    metric,
                    measurement -> sampler.newest()
                            .ifPresent(sample -> metric.points(sample.registry())
                                    .forEach(point -> measurement.record(point.value(), attributes(point))))));
        }
        return new MusterInstruments(List.copyOf(ends));
    }

    private static Runnable register(Meter meter, DeviceMetric metric, Consumer<ObservableDoubleMeasurement> callback) {
        if (metric.kind() == MetricKind.COUNTER) {
            return meter.counterBuilder(metric.name())
                    .ofDoubles()
                    .setUnit(metric.unit())
                    .setDescription(metric.help())
                    .buildWithCallback(callback)::close;
        }
        if (metric.isAdditive()) {
            return meter.upDownCounterBuilder(metric.name())
                    .ofDoubles()
                    .setUnit(metric.unit())
                    .setDescription(metric.help())
                    .buildWithCallback(callback)::close;
        }
        return meter.gaugeBuilder(metric.name())
                .setUnit(metric.unit())
                .setDescription(metric.help())
                .buildWithCallback(callback)::close;
    }

    private static Attributes attributes(MetricPoint point) {
        AttributesBuilder attributes = Attributes.builder();
        point.labels().forEach(attributes::put);
        return attributes.build();
    }

    /// Ends the observations; the instruments are gone from the next collection on.
    @Override
    public void close() {
        ends.forEach(Runnable::run);
    }
}
