// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor.metric;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A naming of metrics, with its units.
///
/// @since 0.2
public enum MetricNames {
    /// Muster's own: `accel_…`, in base units, for devices of every vendor.
    MUSTER("muster"),
    /// Those of NVIDIA's DCGM exporter, with its labels and units, so that boards made for it show data.
    DCGM("dcgm"),
    /// Those of OpenTelemetry's semantic conventions for hardware, as Prometheus spells them.
    OTEL("otel");

    private final String text;

    MetricNames(String text) {
        this.text = text;
    }

    /// The name on the command line.
    public String text() {
        return text;
    }

    /// The names that are called so.
    public static Optional<MetricNames> find(String text) {
        for (MetricNames names : values()) {
            if (names.text.equals(text)) {
                return Optional.of(names);
            }
        }
        return Optional.empty();
    }

    /// Every name on the command line.
    public static List<String> texts() {
        List<String> texts = new ArrayList<>();
        for (MetricNames names : values()) {
            texts.add(names.text);
        }
        return texts;
    }
}
