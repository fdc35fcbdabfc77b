package dev.muster.monitor.metric;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Metrics of a registry as OTLP's `ExportMetricsServiceRequest` in JSON, by the names of the semantic conventions.
/// Immutable.
///
/// @since 0.2
public final class OtlpDocument {
    private static final long NANOS = 1_000_000_000;
    /// `AGGREGATION_TEMPORALITY_CUMULATIVE`
    private static final int CUMULATIVE = 2;

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
    public JsonValue of(Instant at, AcceleratorRegistry registry) {
        List<JsonValue> metrics = new ArrayList<>();
        for (DeviceMetric metric : METRICS) {
            List<JsonValue> points = new ArrayList<>();
            metric.points(registry).forEach(point -> points.add(point(point, at)));
            if (!points.isEmpty()) {
                metrics.add(metric(metric, points));
            }
        }
        JsonObject scope = JsonObject.builder()
                .put(
                        "scope",
                        JsonObject.builder()
                                .put("name", "dev.muster")
                                .put("version", version)
                                .build())
                .put("metrics", metrics)
                .build();
        JsonObject resource = JsonObject.builder()
                .put("attributes", attributes(Map.of("host.name", host, "service.name", "muster")))
                .build();
        return JsonObject.builder()
                .put(
                        "resourceMetrics",
                        List.of(JsonObject.builder()
                                .put("resource", resource)
                                .put("scopeMetrics", List.of(scope))
                                .build()))
                .build();
    }

    private static JsonValue metric(DeviceMetric told, List<JsonValue> points) {
        JsonObject.Builder metric = JsonObject.builder()
                .put("name", told.name())
                .put("description", told.help())
                .put("unit", told.unit());
        boolean grows = told.kind() == MetricKind.COUNTER;
        JsonObject.Builder data = JsonObject.builder();
        if (grows || told.isAdditive()) {
            data.put("aggregationTemporality", CUMULATIVE).put("isMonotonic", grows);
            return metric.put("sum", data.put("dataPoints", points).build()).build();
        }
        return metric.put("gauge", data.put("dataPoints", points).build()).build();
    }

    private JsonValue point(MetricFamily.Point point, Instant at) {
        return JsonObject.builder()
                .put("attributes", attributes(point.labels()))
                .put("startTimeUnixNano", nanos(start))
                .put("timeUnixNano", nanos(at))
                .put("asDouble", JsonNumber.of(point.value()))
                .build();
    }

    /// 64-bit numbers are texts in protobuf's JSON.
    private static String nanos(Instant at) {
        return String.valueOf(at.getEpochSecond() * NANOS + at.getNano());
    }

    private static JsonValue attributes(Map<String, String> texts) {
        List<JsonValue> attributes = new ArrayList<>();
        texts.forEach((key, text) -> attributes.add(JsonObject.builder()
                .put("key", key)
                .put(
                        "value",
                        JsonObject.builder()
                                .put("stringValue", new JsonString(text))
                                .build())
                .build()));
        return new JsonArray(attributes);
    }
}
