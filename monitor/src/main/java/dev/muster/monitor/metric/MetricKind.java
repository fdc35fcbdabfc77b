// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor.metric;

/// The kind of number of a metric: its behaviour over time.
///
/// @since 0.2
public enum MetricKind {
    /// A number that goes up and down.
    GAUGE("gauge"),
    /// A number that only grows, until it starts from 0 again.
    COUNTER("counter"),
    /// Always 1: what is told stands in the labels.
    LABELS("gauge");

    private final String text;

    MetricKind(String text) {
        this.text = text;
    }

    /// The word in a `# TYPE` line.
    String text() {
        return text;
    }
}
