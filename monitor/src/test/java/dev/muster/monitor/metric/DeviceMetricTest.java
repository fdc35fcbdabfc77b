// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor.metric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Partition;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Ratio;
import dev.muster.monitor.metric.MetricFamily.MetricPoint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DeviceMetricTest {
    @ParameterizedTest
    @CsvSource({
        "MUSTER, accel_memory_used_bytes, bytes",
        "MUSTER, accel_pcie_throughput_bytes_per_second, bytes_per_second",
        "MUSTER, accel_pcie_lanes, ''",
        "DCGM, DCGM_FI_DEV_FB_USED, ''",
        "OTEL, hw.gpu.memory.usage, By"
    })
    void metricsHaveTheNamesAndUnitsOfTheirNaming(MetricNames names, String name, String unit) {
        assertThat(metric(names, name).unit()).isEqualTo(unit);
    }

    @ParameterizedTest
    @EnumSource
    void aNameComesOnceAndNamesItsLabels(MetricNames names) {
        List<DeviceMetric> metrics = DeviceMetric.all(names);
        assertThat(metrics).extracting(DeviceMetric::name).doesNotHaveDuplicates();
        for (DeviceMetric metric : metrics) {
            for (MetricPoint point : metric.points(registry())) {
                assertThat(metric.labelNames())
                        .as(metric.name())
                        .containsAll(point.labels().keySet());
            }
        }
    }

    @Test
    void whatIsUnknownHasNoPointAndTheProcessorHasNone() {
        assertThat(metric(MetricNames.MUSTER, "accel_power_watts").points(registry()))
                .isEmpty();
        assertThat(metric(MetricNames.MUSTER, "accel_memory_total_bytes").points(registry()))
                .extracting(point -> point.labels().get("device"))
                .containsExactly("cuda:0", "cuda:0/MIG-1");
    }

    @Test
    void rowsThatShareANameAreToldApartByALabel() {
        Map<String, Double> degrees = new HashMap<>();
        for (MetricPoint point : metric(MetricNames.OTEL, "hw.temperature").points(registry())) {
            degrees.put(point.labels().getOrDefault("hw.sensor_location", ""), point.value());
        }
        assertThat(degrees).isEqualTo(Map.of("gpu", 40.0, "memory", 50.0));
    }

    @Test
    void theParentOfASliceIsNamedAsItNamesItself() {
        assertThat(metric(MetricNames.OTEL, "hw.gpu.memory.limit").points(registry()))
                .extracting(point -> point.labels().get("hw.parent"))
                .containsExactly(null, "GPU-1");
    }

    @Test
    void textsThatChangeStandInALabel() {
        assertThat(metric(MetricNames.MUSTER, "accel_throttling_reason").points(registry()))
                .singleElement()
                .satisfies(point -> assertThat(point.labels()).containsEntry("reason", "power"));
    }

    private static DeviceMetric metric(MetricNames names, String name) {
        return DeviceMetric.all(names).stream()
                .filter(metric -> metric.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static AcceleratorRegistry registry() {
        AcceleratorProfile board = AcceleratorProfile.cuda(0, Bytes.ofGib(80)).toBuilder()
                .with(DeviceFact.UUID, known("GPU-1"))
                .with(DeviceFact.UTILIZATION, known(new Ratio(0.5)))
                .with(DeviceFact.TEMPERATURE, known(new Celsius(40)))
                .with(DeviceFact.MEMORY_TEMPERATURE, known(new Celsius(50)))
                .with(DeviceFact.THROTTLING, known("power"))
                .build();
        AcceleratorProfile slice = AcceleratorProfile.cuda(1, Bytes.ofGib(5)).toBuilder()
                .partition(new Partition(board.id(), "MIG-1", "1g.5gb"))
                .build();
        return AcceleratorRegistry.of(List.of(AcceleratorProfile.cpu(Bytes.ofGib(16)), board, slice));
    }

    private static <T> Reading<T> known(T value) {
        return Reading.known(value, Provenance.GIVEN);
    }
}
