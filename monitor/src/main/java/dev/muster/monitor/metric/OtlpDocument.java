package dev.muster.monitor.metric;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
        Map<String, List<JsonValue>> points = new LinkedHashMap<>();
        Map<String, Metric> rows = new LinkedHashMap<>();
        for (Metric row : MetricTable.ROWS) {
            String name = row.otel().original();
            for (AcceleratorProfile device : registry.profiles()) {
                double value = row.value().of(device);
                boolean told = !name.isEmpty()
                        && !Double.isNaN(value)
                        && device.accelerator().kind().family() != AcceleratorFamily.CPU;
                if (told) {
                    rows.putIfAbsent(name, row);
                    points.computeIfAbsent(name, _ -> new ArrayList<>()).add(point(row, device, value, at));
                }
            }
        }
        List<JsonValue> metrics = new ArrayList<>();
        rows.forEach((name, row) -> metrics.add(metric(row, points.getOrDefault(name, List.of()))));
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

    private static JsonValue metric(Metric row, List<JsonValue> points) {
        JsonObject.Builder metric = JsonObject.builder()
                .put("name", row.otel().original())
                .put("description", row.otel().help())
                .put("unit", row.otel().unit());
        return row.kind() == MetricKind.COUNTER
                ? metric.put(
                                "sum",
                                JsonObject.builder()
                                        .put("aggregationTemporality", CUMULATIVE)
                                        .put("isMonotonic", true)
                                        .put("dataPoints", points)
                                        .build())
                        .build()
                : metric.put(
                                "gauge",
                                JsonObject.builder().put("dataPoints", points).build())
                        .build();
    }

    private JsonValue point(Metric row, AcceleratorProfile device, double value, Instant at) {
        Map<String, String> labels = new LinkedHashMap<>();
        DeviceLabels.otel(device, "").forEach((key, text) -> labels.put(dotted(key), text));
        String more = row.otel().labels();
        if (!more.isEmpty()) {
            int equals = more.indexOf('=');
            labels.put(dotted(more.substring(0, equals)), more.substring(equals + 2, more.length() - 1));
        }
        return JsonObject.builder()
                .put("attributes", attributes(labels))
                .put("startTimeUnixNano", nanos(start))
                .put("timeUnixNano", nanos(at))
                .put("asDouble", JsonNumber.of(value))
                .build();
    }

    /// The conventions' spelling of a name that Prometheus spells with `_`.
    private static String dotted(String key) {
        return switch (key) {
            case "hw_driver_version" -> "hw.driver_version";
            case "hw_firmware_version" -> "hw.firmware_version";
            case "hw_sensor_location" -> "hw.sensor_location";
            default -> key.replace('_', '.');
        };
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
