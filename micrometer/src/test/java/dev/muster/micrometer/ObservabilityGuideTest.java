// SPDX-License-Identifier: Apache-2.0
package dev.muster.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.detect.Detector;
import dev.muster.monitor.SampleHistory;
import dev.muster.monitor.Sampler;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/// Examples of `docs/guides/observability.md`.
class ObservabilityGuideTest {
    @Test
    void theDevicesOfThisHostAreMeters() throws Exception {
        // begin observability-sampler
        Detector detector = Detector.ofThisHost();
        Sampler sampler = Sampler.start(
                detector::detect, Duration.ofSeconds(15), SampleHistory.ofLength(1), InstantSource.system());
        // end observability-sampler
        try (sampler) {
            assertThat(sampler.awaitNewer(0, Duration.ofSeconds(30))).isPresent();
            // begin observability-micrometer
            PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            MusterMetrics metrics = MusterMetrics.of(sampler, Tags.of("zone", "a"));
            metrics.bindTo(registry);
            String text = registry.scrape();
            // end observability-micrometer
            metrics.close();

            // A host without accelerators has no meters.
            boolean hasAccelerators = sampler.newest().orElseThrow().registry().profiles().stream()
                    .anyMatch(device -> device.accelerator().kind() != AcceleratorKind.CPU);
            assertThat(text.contains("accel_info")).isEqualTo(hasAccelerators);
        }
    }
}
