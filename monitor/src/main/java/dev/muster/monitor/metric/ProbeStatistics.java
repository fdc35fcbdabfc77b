// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor.metric;

import dev.muster.core.Gap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The duration of each probe in the last observation, and the number of its failures since the start. Safe to share
/// between threads.
///
/// @since 0.2
public final class ProbeStatistics {
    private static final double NANOS = 1e9;
    /// Names of tools and files come from outside; those beyond are counted together.
    private static final int MOST_NAMES = 256;

    private static final String OTHERS = "others";

    private final Map<String, Long> errors = new TreeMap<>();
    private Map<String, Duration> durations = Map.of();

    private ProbeStatistics() {}

    /// Nothing so far.
    public static ProbeStatistics create() {
        return new ProbeStatistics();
    }

    /// Adds what one look took and could not learn.
    public synchronized void add(Map<String, Duration> timings, List<Gap> gaps) {
        durations = new TreeMap<>(timings);
        for (Gap gap : gaps) {
            String source = source(gap);
            if (!source.isEmpty()) {
                boolean room = errors.containsKey(source) || errors.size() < MOST_NAMES;
                errors.merge(room ? source : OTHERS, 1L, Long::sum);
            }
        }
    }

    /// The probe or tool that a gap belongs to; blank for gaps of none, such as a tool that is not installed.
    private static String source(Gap gap) {
        return switch (gap) {
            case Gap.ToolNotFound _, Gap.Conflict _ -> "";
            case Gap.ToolFailed failed -> failed.tool();
            case Gap.Timeout late -> late.tool();
            case Gap.Unparsable odd -> odd.probe();
            case Gap.FileUnreadable _ -> "files";
            case Gap.ProbeFailed failed -> failed.probe();
            case Gap.Unexplained odd -> odd.source();
        };
    }

    /// The metrics.
    public synchronized List<MetricFamily> metrics() {
        List<MetricFamily> families = new ArrayList<>();
        if (!durations.isEmpty()) {
            List<MetricFamily.MetricPoint> points = new ArrayList<>();
            durations.forEach((name, took) -> points.add(point(name, took.toNanos() / NANOS)));
            families.add(new MetricFamily(
                    "accel_probe_duration_seconds",
                    MetricKind.GAUGE,
                    "How long each probe took in the newest look.",
                    points));
        }
        if (!errors.isEmpty()) {
            List<MetricFamily.MetricPoint> points = new ArrayList<>();
            errors.forEach((name, count) -> points.add(point(name, count)));
            families.add(new MetricFamily(
                    "accel_probe_errors",
                    MetricKind.COUNTER,
                    "Detection runs in which a probe or tool failed.",
                    points));
        }
        return families;
    }

    private static MetricFamily.MetricPoint point(String probe, double value) {
        return new MetricFamily.MetricPoint(Map.of("probe", probe), value);
    }
}
