// SPDX-License-Identifier: Apache-2.0
package dev.muster.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.detect.Detector;
import dev.muster.monitor.SampleHistory;
import dev.muster.monitor.Sampler;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/// Examples of `docs/guides/observability.md`.
class ObservabilityGuideTest {
    @Test
    void theDevicesOfThisHostAreObserved() throws Exception {
        InMemoryMetricReader reader = InMemoryMetricReader.create();
        try (Sampler sampler = Sampler.start(
                        Detector.ofThisHost()::detect,
                        Duration.ofSeconds(15),
                        SampleHistory.ofLength(1),
                        InstantSource.system());
                SdkMeterProvider provider =
                        SdkMeterProvider.builder().registerMetricReader(reader).build()) {
            OpenTelemetry openTelemetry =
                    OpenTelemetrySdk.builder().setMeterProvider(provider).build();
            assertThat(sampler.awaitNewer(0, Duration.ofSeconds(30))).isPresent();
            // begin observability-opentelemetry
            MusterInstruments instruments = MusterInstruments.register(openTelemetry.getMeter("dev.muster"), sampler);
            // end observability-opentelemetry

            // A host without accelerators has nothing to observe.
            boolean hasAccelerators = sampler.newest().orElseThrow().registry().profiles().stream()
                    .anyMatch(device -> device.accelerator().kind() != AcceleratorKind.CPU);
            assertThat(reader.collectAllMetrics().isEmpty()).isEqualTo(!hasAccelerators);
            instruments.close();
        }
    }
}
