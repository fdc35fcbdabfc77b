// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.plan.serving.Slo;
import dev.muster.plan.serving.Slo.LatencyMetric;
import dev.muster.plan.serving.Slo.LatencyStatistic;
import dev.muster.plan.serving.Slo.Objective;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;

/// Limits of latencies as text, such as `p99=800ms` for one metric and `ttft=800ms,tpot=40ms` for a request.
final class SloText {
    private static final Duration LEAST = Duration.ofMillis(1);
    private static final Duration MOST = Duration.ofHours(1);

    private SloText() {}

    /// Reads an objective; a time alone limits the 99th percentile.
    static Objective parse(LatencyMetric metric, String text) {
        int equals = text.indexOf('=');
        LatencyStatistic statistic = equals < 0
                ? LatencyStatistic.P99
                : LatencyStatistic.find(text.substring(0, equals).strip()).orElseThrow(SloText::refused);
        return new Objective(metric, statistic, time(text.substring(equals + 1)));
    }

    static String display(Objective objective) {
        return objective.statistic().label() + "=" + Times.text(objective.limit());
    }

    /// Reads the limits of a good request; the shortest counts of several of one metric.
    static Slo parse(String text) {
        Slo slo = Slo.NONE;
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            String name = part.substring(0, Math.max(0, equals)).strip();
            LatencyMetric metric = Arrays.stream(LatencyMetric.values())
                    .filter(one -> one.label().equals(name))
                    .findFirst()
                    .orElseThrow(SloText::refused);
            slo = slo.with(metric, LatencyStatistic.P99, time(part.substring(equals + 1)));
        }
        return slo;
    }

    static String text(Slo slo) {
        return slo.objectives().stream()
                .map(one -> one.metric().label() + "=" + Times.text(one.limit()))
                .collect(Collectors.joining(","));
    }

    private static Duration time(String text) {
        return Times.parse(text.strip(), LEAST, MOST);
    }

    private static IllegalArgumentException refused() {
        return new IllegalArgumentException("");
    }
}
