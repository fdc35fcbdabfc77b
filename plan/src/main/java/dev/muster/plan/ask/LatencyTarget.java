// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.plan.serving.LatencyTargets;
import dev.muster.plan.serving.LatencyTargets.ServiceLevel.Metric;
import dev.muster.plan.serving.LatencyTargets.ServiceLevel.Objective;
import dev.muster.plan.serving.LatencyTargets.ServiceLevel.Statistic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A limit of a statistic over all requests, such as `p99=800ms`.
///
/// @param statistic the statistic
/// @param time the limit
/// @since 0.2
public record LatencyTarget(Statistic statistic, Duration time) {
    private static final Duration LEAST = Duration.ofMillis(1);
    private static final Duration MOST = Duration.ofHours(1);
    private static final double NANOS = 1e9;

    /// Reads a target; a time alone limits the 99th percentile.
    static LatencyTarget parse(String text) {
        int equals = text.indexOf('=');
        Statistic statistic = equals < 0
                ? Statistic.P99
                : Statistic.find(text.substring(0, equals).strip()).orElseThrow(LatencyTarget::refused);
        return new LatencyTarget(
                statistic, Times.parse(text.substring(equals + 1).strip(), LEAST, MOST));
    }

    String display() {
        return statistic.label() + "=" + Times.text(time);
    }

    Objective of(Metric metric) {
        return new Objective(metric, statistic, time.toNanos() / NANOS);
    }

    /// Reads the limits of a good request, such as `ttft=800ms,tpot=40ms`.
    static LatencyTargets parseSlo(String text) {
        double[] seconds = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            String name = part.substring(0, Math.max(0, equals)).strip();
            int which = List.of("ttft", "tpot", "latency").indexOf(name);
            if (which < 0) {
                throw refused();
            }
            seconds[which] =
                    Times.parse(part.substring(equals + 1).strip(), LEAST, MOST).toNanos() / NANOS;
        }
        return new LatencyTargets(seconds[0], seconds[1], seconds[2]);
    }

    static String text(LatencyTargets targets) {
        List<String> parts = new ArrayList<>();
        add(parts, "ttft", targets.timeToFirstToken());
        add(parts, "tpot", targets.timePerOutputToken());
        add(parts, "latency", targets.latency());
        return String.join(",", parts);
    }

    private static void add(List<String> parts, String name, double seconds) {
        if (seconds < Double.POSITIVE_INFINITY) {
            parts.add(name + "=" + Times.text(Duration.ofNanos(Math.round(seconds * NANOS))));
        }
    }

    private static IllegalArgumentException refused() {
        return new IllegalArgumentException("");
    }
}
