// SPDX-License-Identifier: Apache-2.0
package dev.muster.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Joules;
import dev.muster.core.unit.Ratio;
import dev.muster.monitor.metric.MetricNames;
import dev.muster.monitor.metric.MetricsText;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MusterMetricsTest {
    private static final Pattern LABEL = Pattern.compile("[a-z_]+=\"[^\"]*\"");

    private final MeterRegistry registry = new SimpleMeterRegistry();

    /// A number has one name, one type and one set of labels in Prometheus, on every way there.
    @Test
    void prometheusReadsWhatMusterItselfWrites() throws Exception {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        AcceleratorProfile gpu = gpu(0, 0.25);
        try (ChangingHost host = new ChangingHost(gpu);
                MusterMetrics metrics = MusterMetrics.of(host.sampler(), Tags.of("host", "h"))) {
            metrics.bindTo(prometheus);
            String own = new String(
                    MetricsText.of(MetricNames.MUSTER, "h")
                            .write(AcceleratorRegistry.of(List.of(gpu)), List.of(), MetricsText.Form.TEXT),
                    StandardCharsets.UTF_8);

            assertThat(lines(prometheus.scrape())).hasSizeGreaterThan(10).isEqualTo(lines(own));
        }
    }

    @Test
    void metersFollowTheSamples() throws Exception {
        try (ChangingHost host = new ChangingHost(gpu(0, 0.25));
                MusterMetrics metrics = MusterMetrics.of(host.sampler())) {
            metrics.bindTo(registry);
            assertThat(load("cuda:0")).isEqualTo(0.25);
            host.change(gpu(0, 0.75));
            assertThat(load("cuda:0")).isEqualTo(0.75);
        }
    }

    @Test
    void devicesComeAndGo() throws Exception {
        try (ChangingHost host = new ChangingHost(gpu(0, 0.25));
                MusterMetrics metrics = MusterMetrics.of(host.sampler())) {
            metrics.bindTo(registry);
            host.change(gpu(1, 0.5));
            assertThat(load("cuda:1")).isEqualTo(0.5);
            assertThat(registry.getMeters())
                    .isNotEmpty()
                    .noneMatch(meter -> "cuda:0".equals(meter.getId().getTag("device")));
        }
    }

    @Test
    void whatIsUnknownHasNoMeter() throws Exception {
        try (ChangingHost host = new ChangingHost(gpu(0, 0.25));
                MusterMetrics metrics = MusterMetrics.of(host.sampler())) {
            metrics.bindTo(registry);
            assertThat(registry.find("accel.power").meters()).isEmpty();
            host.change(AcceleratorProfile.cuda(0, Bytes.ofGib(80)));
            assertThat(registry.find("accel.utilization").meters()).isEmpty();
            assertThat(registry.find("accel.memory.total")
                            .tag("uuid", "unknown")
                            .meters())
                    .hasSize(1);
        }
    }

    @Test
    void nothingIsLeftAfterTheEnd() throws Exception {
        try (ChangingHost host = new ChangingHost(gpu(0, 0.25))) {
            MusterMetrics metrics = MusterMetrics.of(host.sampler());
            metrics.bindTo(registry);
            metrics.close();
            host.change(gpu(1, 0.5));
            assertThat(registry.getMeters()).isEmpty();
        }
    }

    private double load(String device) {
        return registry.get("accel.utilization").tag("device", device).gauge().value();
    }

    /// Every line, with its labels in one order and its number in one form; a label that is unknown is left out.
    private static Set<String> lines(String text) {
        Set<String> lines = new TreeSet<>();
        for (String line : text.split("\n", -1)) {
            int end = line.lastIndexOf('}');
            if (line.startsWith("#") || end < 0) {
                lines.add(line);
                continue;
            }
            Set<String> labels = new TreeSet<>();
            Matcher label = LABEL.matcher(line);
            while (label.find()) {
                labels.add(label.group());
            }
            labels.removeIf(one -> one.endsWith("=\"unknown\""));
            lines.add(line.substring(0, line.indexOf('{')) + labels + Double.parseDouble(line.substring(end + 1)));
        }
        return lines;
    }

    private static AcceleratorProfile gpu(int index, double load) {
        return AcceleratorProfile.cuda(index, Bytes.ofGib(80)).toBuilder()
                .with(DeviceFact.UUID, known("GPU-" + index))
                .with(DeviceFact.DEVICE_NAME, known("H100"))
                .with(DeviceFact.PCI_ADDRESS, known(new PciAddress(0, 0xca, 0, 0)))
                .with(DeviceFact.MEMORY_USED, known(Bytes.ofGib(1)))
                .with(DeviceFact.UTILIZATION, known(new Ratio(load)))
                .with(DeviceFact.ENERGY, known(new Joules(1234.5)))
                .with(DeviceFact.CLOCK, known(new Hertz(1_410_000_000L)))
                .with(DeviceFact.MEMORY_CLOCK, known(new Hertz(1_593_000_000L)))
                .with(DeviceFact.THROTTLING, known("power"))
                .with(DeviceFact.PCIE_SENT, known(new Bandwidth(5)))
                .with(DeviceFact.FABRIC_SENT, known(Bytes.of(7)))
                .with(DeviceFact.ECC_CORRECTED, known(3L))
                .with(DeviceFact.HEALTH, known("ok"))
                .build();
    }

    private static <T> Reading<T> known(T value) {
        return Reading.known(value, Provenance.GIVEN);
    }
}
