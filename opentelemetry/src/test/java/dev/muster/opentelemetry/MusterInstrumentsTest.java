// SPDX-License-Identifier: Apache-2.0
package dev.muster.opentelemetry;

import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static io.opentelemetry.sdk.testing.assertj.OpenTelemetryAssertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Partition;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Joules;
import dev.muster.core.unit.Ratio;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.util.Collection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MusterInstrumentsTest {
    private final InMemoryMetricReader reader = InMemoryMetricReader.create();
    private final SdkMeterProvider provider =
            SdkMeterProvider.builder().registerMetricReader(reader).build();

    @AfterEach
    void close() {
        provider.close();
    }

    @Test
    void namesUnitsAndAttributesAreThoseOfTheConventions() throws Exception {
        try (ChangingHost host = new ChangingHost(AcceleratorProfile.cpu(Bytes.ofGib(16)), gpu(0, 0.25), slice());
                MusterInstruments _ = MusterInstruments.register(provider.get("test"), host.sampler())) {
            assertThat(metric("hw.gpu.utilization"))
                    .hasUnit("1")
                    .hasDoubleGaugeSatisfying(gauge -> gauge.hasPointsSatisfying(point -> point.hasValue(0.25)
                            .hasAttribute(stringKey("hw.id"), "GPU-0")
                            .hasAttribute(stringKey("hw.type"), "gpu")
                            .hasAttribute(stringKey("hw.name"), "cuda:0")
                            .hasAttribute(stringKey("hw.model"), "H100")
                            .hasAttribute(stringKey("hw.vendor"), "nvidia")
                            .hasAttribute(stringKey("hw.driver_version"), "580.1")
                            .hasAttribute(stringKey("hw.gpu.task"), "general")));
            assertThat(metric("hw.energy"))
                    .hasUnit("J")
                    .hasDoubleSumSatisfying(sum ->
                            sum.isMonotonic().isCumulative().hasPointsSatisfying(point -> point.hasValue(1234.5)));
            assertThat(metric("hw.gpu.memory.limit"))
                    .hasUnit("By")
                    .hasDoubleSumSatisfying(sum -> sum.isNotMonotonic()
                            .hasPointsSatisfying(
                                    point -> point.hasValue(80.0 * (1 << 30)).hasAttribute(stringKey("hw.id"), "GPU-0"),
                                    point -> point.hasValue(5.0 * (1 << 30))
                                            .hasAttribute(stringKey("hw.parent"), "GPU-0")));
        }
    }

    @Test
    void whatIsUnknownIsNotObserved() throws Exception {
        try (ChangingHost host = new ChangingHost(gpu(0, 0.25));
                MusterInstruments _ = MusterInstruments.register(provider.get("test"), host.sampler())) {
            assertThat(reader.collectAllMetrics())
                    .isNotEmpty()
                    .noneMatch(metric -> metric.getName().equals("hw.power"));
        }
    }

    @Test
    void aDeviceThatIsGoneIsNotObserved() throws Exception {
        try (ChangingHost host = new ChangingHost(gpu(0, 0.25));
                MusterInstruments _ = MusterInstruments.register(provider.get("test"), host.sampler())) {
            assertThat(metric("hw.gpu.utilization").getData().getPoints()).hasSize(1);
            host.change(gpu(1, 0.5));
            assertThat(metric("hw.gpu.utilization"))
                    .hasDoubleGaugeSatisfying(gauge -> gauge.hasPointsSatisfying(
                            point -> point.hasValue(0.5).hasAttribute(stringKey("hw.id"), "GPU-1")));
        }
    }

    @Test
    void nothingIsObservedAfterTheEnd() throws Exception {
        try (ChangingHost host = new ChangingHost(gpu(0, 0.25))) {
            MusterInstruments instruments = MusterInstruments.register(provider.get("test"), host.sampler());
            assertThat(reader.collectAllMetrics()).isNotEmpty();
            instruments.close();
            assertThat(reader.collectAllMetrics()).isEmpty();
        }
    }

    private MetricData metric(String name) {
        Collection<MetricData> all = reader.collectAllMetrics();
        return all.stream()
                .filter(metric -> metric.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not among " + all));
    }

    private static AcceleratorProfile gpu(int index, double load) {
        return AcceleratorProfile.cuda(index, Bytes.ofGib(80)).toBuilder()
                .with(DeviceFact.UUID, known("GPU-" + index))
                .with(DeviceFact.DEVICE_NAME, known("H100"))
                .with(DeviceFact.DRIVER_VERSION, known("580.1"))
                .with(DeviceFact.UTILIZATION, known(new Ratio(load)))
                .with(DeviceFact.ENERGY, known(new Joules(1234.5)))
                .build();
    }

    private static AcceleratorProfile slice() {
        return AcceleratorProfile.cuda(1, Bytes.ofGib(5)).toBuilder()
                .partition(new Partition(gpu(0, 0).id(), "MIG-1", "1g.5gb"))
                .build();
    }

    private static <T> Reading<T> known(T value) {
        return Reading.known(value, Provenance.GIVEN);
    }
}
