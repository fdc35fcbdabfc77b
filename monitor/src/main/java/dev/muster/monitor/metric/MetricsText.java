// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor.metric;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Writes the metrics of a registry as text for Prometheus. A fact that is unknown has no sample; the processor of the
/// host is not an accelerator and has none. Safe to share between threads; texts are written one after the other.
///
/// Labels of a device are put together once and kept while the device says the same of itself, so that a text of many
/// devices is a copy of bytes and numbers.
///
/// @since 0.2
public final class MetricsText {
    /// The metric that has what a device is in its labels.
    static final String FACTS = "accel_info";

    static final String FACTS_HELP = "Properties of each accelerator.";
    private static final DeviceFact<?>[] STEADY = {
        DeviceFact.UUID,
        DeviceFact.DEVICE_NAME,
        DeviceFact.DRIVER_VERSION,
        DeviceFact.FIRMWARE_VERSION,
        DeviceFact.PCI_ADDRESS,
        DeviceFact.ARCHITECTURE,
        DeviceFact.COMPUTE_CAPABILITY,
        DeviceFact.NUMA_NODE
    };

    private final MetricNames names;
    private final String host;
    private final TextBuffer text = new TextBuffer();
    private Map<DeviceId, Kept> kept = new HashMap<>();

    private MetricsText(MetricNames names, String host) {
        this.names = names;
        this.host = host;
    }

    /// Metrics by those names.
    ///
    /// @param host the name of the host, which stands in a label; blank for none
    public static MetricsText of(MetricNames names, String host) {
        return new MetricsText(names, host);
    }

    /// The metrics of a registry.
    ///
    /// @param more metrics that are of no device, written first
    /// @return UTF-8
    public synchronized byte[] write(AcceleratorRegistry registry, List<MetricFamily> more, Form form) {
        text.clear();
        for (MetricFamily family : more) {
            write(family, form);
        }
        List<AcceleratorProfile> devices = new ArrayList<>();
        for (AcceleratorProfile device : registry.profiles()) {
            if (device.accelerator().kind().family() != AcceleratorFamily.CPU) {
                devices.add(device);
            }
        }
        byte[][] labels = labels(registry, devices);
        if (names == MetricNames.MUSTER && !devices.isEmpty()) {
            writeFacts(devices, labels);
        }
        String before = "";
        for (Metric metric : MetricTable.ROWS) {
            Metric.Name name = metric.name(names);
            if (!name.isNone()) {
                before = write(metric, name, devices, labels, before, form);
            }
        }
        if (form == Form.OPEN_METRICS) {
            text.add("# EOF\n");
        }
        return text.toBytes();
    }

    private void write(MetricFamily family, Form form) {
        head(family.name(), family.kind(), family.help(), form);
        for (MetricFamily.MetricPoint point : family.points()) {
            text.add(family.name()).add(suffix(family.name(), family.kind()));
            if (!point.labels().isEmpty()) {
                text.add('{');
                addLabels(point.labels());
                text.add('}');
            }
            text.add(' ').add(point.value()).add('\n');
        }
    }

    private void writeFacts(List<AcceleratorProfile> devices, byte[][] labels) {
        head(FACTS, MetricKind.LABELS, FACTS_HELP, Form.TEXT);
        for (int i = 0; i < labels.length; i++) {
            text.add(FACTS)
                    .add('{')
                    .add(labels[i])
                    .add(',')
                    .add(require(devices.get(i).id()).facts)
                    .add("} 1\n");
        }
    }

    private Kept require(DeviceId id) {
        return Objects.requireNonNull(kept.get(id));
    }

    private String write(
            Metric metric,
            Metric.Name name,
            List<AcceleratorProfile> devices,
            byte[][] labels,
            String before,
            Form form) {
        String written = before;
        for (int i = 0; i < labels.length; i++) {
            AcceleratorProfile device = devices.get(i);
            double value = metric.value().of(device) * name.scale();
            if (Double.isNaN(value)) {
                continue;
            }
            Optional<String> told = metric.label().flatMap(label -> label.text().apply(device));
            if (metric.label().isPresent() && told.isEmpty()) {
                continue;
            }
            if (!written.equals(name.name())) {
                head(name.name(), metric.kind(), name.help(), form);
                written = name.name();
            }
            text.add(name.name())
                    .add(suffix(name.name(), metric.kind()))
                    .add('{')
                    .add(labels[i]);
            if (!name.labels().isEmpty()) {
                text.add(',').add(name.labels());
            }
            if (told.isPresent()) {
                text.add(',')
                        .add(metric.label().get().key())
                        .add("=\"")
                        .addEscaped(told.get())
                        .add('"');
            }
            text.add("} ").add(value).add('\n');
        }
        return written;
    }

    /// DCGM's counters have no `_total`, which OpenMetrics demands of counters: there they are of unknown type.
    private void head(String name, MetricKind kind, String help, Form form) {
        boolean open = form == Form.OPEN_METRICS;
        boolean odd = open && kind == MetricKind.COUNTER && isOfDcgm(name);
        String shown = open ? name : name + suffix(name, kind);
        text.add("# HELP ").add(shown).add(' ').addEscaped(help).add("\n# TYPE ");
        text.add(shown).add(' ').add(odd ? "unknown" : kind.text()).add('\n');
    }

    private static String suffix(String name, MetricKind kind) {
        return kind == MetricKind.COUNTER && !isOfDcgm(name) ? "_total" : "";
    }

    private static boolean isOfDcgm(String name) {
        return name.startsWith("DCGM_");
    }

    private byte[][] labels(AcceleratorRegistry registry, List<AcceleratorProfile> devices) {
        byte[][] labels = new byte[devices.size()][];
        Map<DeviceId, Kept> next = new HashMap<>(devices.size() * 2);
        for (int i = 0; i < labels.length; i++) {
            AcceleratorProfile device = devices.get(i);
            Kept old = kept.get(device.id());
            Kept now = old != null && old.isOf(device) ? old : keep(registry, device, i);
            next.put(device.id(), now);
            labels[i] = now.labels;
        }
        kept = next;
        return labels;
    }

    private Kept keep(AcceleratorRegistry registry, AcceleratorProfile device, int place) {
        return new Kept(
                device,
                bytes(DeviceLabels.of(names, registry, device, place, host)),
                bytes(DeviceLabels.facts(device)));
    }

    private static byte[] bytes(Map<String, String> labels) {
        TextBuffer buffer = new TextBuffer();
        addLabels(buffer, labels);
        return buffer.toBytes();
    }

    private void addLabels(Map<String, String> labels) {
        addLabels(text, labels);
    }

    private static void addLabels(TextBuffer buffer, Map<String, String> labels) {
        boolean first = true;
        for (Map.Entry<String, String> label : labels.entrySet()) {
            if (!first) {
                buffer.add(',');
            }
            buffer.add(label.getKey()).add("=\"").addEscaped(label.getValue()).add('"');
            first = false;
        }
    }

    /// The form of the text.
    ///
    /// @since 0.2
    public enum Form {
        /// Prometheus' text format, version 0.0.4.
        TEXT("text/plain; version=0.0.4; charset=utf-8"),
        /// OpenMetrics 1.0.
        OPEN_METRICS("application/openmetrics-text; version=1.0.0; charset=utf-8");

        private final String contentType;

        Form(String contentType) {
            this.contentType = contentType;
        }

        /// The media type of answers.
        public String contentType() {
            return contentType;
        }

        /// The form that a client asks for by its `Accept` header: OpenMetrics where it is named with a weight of more
        /// than 0, else text.
        public static Form accepted(String accept) {
            for (String part : accept.split(",", 32)) {
                String lower = part.strip().toLowerCase(Locale.ROOT);
                boolean refused = lower.matches(".*;\\s*q=0(\\.0*)?\\s*(;.*)?");
                if (lower.startsWith("application/openmetrics-text") && !refused) {
                    return OPEN_METRICS;
                }
            }
            return TEXT;
        }
    }

    /// The labels of a device, and what they were made of.
    private static final class Kept {
        final AcceleratorProfile device;
        final byte[] labels;
        final byte[] facts;

        Kept(AcceleratorProfile device, byte[] labels, byte[] facts) {
            this.device = device;
            this.labels = labels;
            this.facts = facts;
        }

        boolean isOf(AcceleratorProfile other) {
            for (DeviceFact<?> fact : STEADY) {
                if (!device.reading(fact).find().equals(other.reading(fact).find())) {
                    return false;
                }
            }
            return device.partition().equals(other.partition());
        }
    }
}
