// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor.metric;

import java.util.List;
import java.util.Map;

/// A metric that is of no device: of the program, of its probes.
///
/// @param name its name, without `_total`
/// @param kind the kind of its numbers
/// @param help one sentence with the unit
/// @param points its numbers
/// @since 0.2
public record MetricFamily(String name, MetricKind kind, String help, List<MetricPoint> points) {
    /// Copies the list.
    public MetricFamily {
        points = List.copyOf(points);
    }

    /// A metric with one number and no labels.
    public static MetricFamily of(String name, MetricKind kind, String help, double value) {
        return new MetricFamily(name, kind, help, List.of(new MetricPoint(Map.of(), value)));
    }

    /// One number.
    ///
    /// @param labels names and values, in the order in which they are written where the map has one
    /// @param value the number
    /// @since 0.2
    public record MetricPoint(Map<String, String> labels, double value) {}
}
