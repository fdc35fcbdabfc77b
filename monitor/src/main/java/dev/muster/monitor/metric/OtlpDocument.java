// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor.metric;

import dev.muster.core.AcceleratorRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// Metrics of a registry as OTLP's `ExportMetricsServiceRequest` in Protocol Buffers, which every receiver takes; by
/// the
/// names, attributes and kinds of the semantic conventions. Immutable.
///
/// Numbers of fields are those of `opentelemetry/proto/metrics/v1/metrics.proto`, which do not change.
///
/// @since 0.2
public final class OtlpDocument {
    private static final long NANOS = 1_000_000_000;
    /// `AGGREGATION_TEMPORALITY_CUMULATIVE`
    private static final int CUMULATIVE = 2;
    /// The field of a metric that holds a gauge, and the one that holds a sum.
    private static final int GAUGE = 5;

    private static final int SUM = 7;
    private static final int POINT_ATTRIBUTES = 7;
    private static final int RESOURCE_ATTRIBUTES = 1;

    private static final List<DeviceMetric> METRICS = DeviceMetric.all(MetricNames.OTEL);

    private final String host;
    private final String version;
    private final Instant start;

    private OtlpDocument(String host, String version, Instant start) {
        this.host = host;
        this.version = version;
        this.start = start;
    }

    /// Documents of a host.
    ///
    /// @param host its name
    /// @param version the program's version
    /// @param start since when counters are told
    public static OtlpDocument of(String host, String version, Instant start) {
        return new OtlpDocument(host, version, start);
    }

    /// The document of a sample.
    public byte[] of(Instant at, AcceleratorRegistry registry) {
        ProtobufMessage scope = new ProtobufMessage()
                .message(1, new ProtobufMessage().text(1, "dev.muster").text(2, version));
        for (DeviceMetric metric : METRICS) {
            List<MetricFamily.MetricPoint> points = metric.points(registry);
            if (!points.isEmpty()) {
                scope.message(2, metric(metric, points, at));
            }
        }
        ProtobufMessage resource = new ProtobufMessage();
        attributes(resource, RESOURCE_ATTRIBUTES, Map.of("host.name", host, "service.name", "muster"));
        ProtobufMessage metrics = new ProtobufMessage().message(1, resource).message(2, scope);
        return new ProtobufMessage().message(1, metrics).toBytes();
    }

    private ProtobufMessage metric(DeviceMetric told, List<MetricFamily.MetricPoint> points, Instant at) {
        ProtobufMessage metric =
                new ProtobufMessage().text(1, told.name()).text(2, told.help()).text(3, told.unit());
        ProtobufMessage data = new ProtobufMessage();
        points.forEach(point -> data.message(1, point(point, at)));
        boolean grows = told.kind() == MetricKind.COUNTER;
        if (!grows && !told.isAdditive()) {
            return metric.message(GAUGE, data);
        }
        return metric.message(SUM, data.number(2, CUMULATIVE).number(3, grows ? 1 : 0));
    }

    private ProtobufMessage point(MetricFamily.MetricPoint point, Instant at) {
        ProtobufMessage message =
                new ProtobufMessage().fixed(2, nanos(start)).fixed(3, nanos(at)).real(4, point.value());
        attributes(message, POINT_ATTRIBUTES, point.labels());
        return message;
    }

    private static long nanos(Instant at) {
        return at.getEpochSecond() * NANOS + at.getNano();
    }

    private static void attributes(ProtobufMessage message, int field, Map<String, String> texts) {
        texts.forEach((key, text) -> message.message(
                field, new ProtobufMessage().text(1, key).message(2, new ProtobufMessage().text(1, text))));
    }
}
