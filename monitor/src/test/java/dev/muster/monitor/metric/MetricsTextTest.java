// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor.metric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Partition;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Joules;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import dev.muster.monitor.metric.MetricsText.Form;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MetricsTextTest {
    private static final String UUID = "GPU-00000000-0000-0000-0000-000000000001";

    @Test
    void musterNamesAreInBaseUnits() {
        assertThat(write(MetricNames.MUSTER, Form.TEXT, gpu()))
                .contains("# TYPE accel_energy_joules_total counter\n")
                .contains("accel_energy_joules_total{device=\"cuda:0\",uuid=\"" + UUID + "\",host=\"h\"} 1234.5\n")
                .contains("accel_utilization_ratio{device=\"cuda:0\",uuid=\"" + UUID + "\",host=\"h\"} 0.07\n")
                .contains("host=\"h\",domain=\"compute\"} 1410000000\n")
                .contains("accel_info{device=\"cuda:0\"")
                .contains("model=\"A \\\"B\\\" \\\\ C\\nD?\"");
    }

    @Test
    void whatIsUnknownHasNoSample() {
        assertThat(write(MetricNames.MUSTER, Form.TEXT, gpu()))
                .doesNotContain("accel_temperature")
                .doesNotContain("accel_ecc");
    }

    @Test
    void aLabelHasNoCharacterThatTurnsTheDirectionOfText() {
        AcceleratorProfile device = AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 0))
                .with(DeviceFact.DEVICE_NAME, known("H100\u202e001H"))
                .build();

        assertThat(write(MetricNames.MUSTER, Form.TEXT, device)).contains("model=\"H100?001H\"");
    }

    @Test
    void dcgmNamesHaveItsUnitsAndLabels() {
        String labels = "{gpu=\"0\",UUID=\"" + UUID + "\",pci_bus_id=\"00000000:CA:00.0\",device=\"nvidia0\","
                + "modelName=\"A \\\"B\\\" \\\\ C\\nD?\",Hostname=\"h\",DCGM_FI_DRIVER_VERSION=\"580.1\"} ";
        assertThat(write(MetricNames.DCGM, Form.TEXT, gpu()))
                .contains("# TYPE DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION counter\n")
                .contains("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION" + labels + "1234500\n")
                .contains("DCGM_FI_DEV_GPU_UTIL" + labels + "7\n")
                .contains("DCGM_FI_DEV_FB_USED" + labels + "1024\n")
                .contains("DCGM_FI_DEV_SM_CLOCK" + labels + "1410\n")
                .contains("DCGM_FI_DEV_POWER_USAGE" + labels + "113.611\n");
    }

    @Test
    void aSliceHasTheLabelsOfItsBoardAndItsOwn() {
        AcceleratorProfile board = gpu();
        AcceleratorProfile slice = AcceleratorProfile.cuda(1, Bytes.ofGib(5)).toBuilder()
                .partition(new Partition(board.id(), "MIG-1", "1g.5gb"))
                .build();
        assertThat(write(MetricNames.DCGM, Form.TEXT, board, slice))
                .contains("DCGM_FI_DEV_FB_TOTAL{gpu=\"0\",UUID=\"" + UUID + "\"")
                .contains("GPU_I_PROFILE=\"1g.5gb\",GPU_I_ID=\"MIG-1\",Hostname=\"h\"")
                .contains("} 5120\n");
    }

    @Test
    void openMetricsEndsAndNamesCountersWithoutTheirEnd() {
        assertThat(write(MetricNames.MUSTER, Form.OPEN_METRICS, gpu()))
                .contains("# TYPE accel_energy_joules counter\n")
                .contains("accel_energy_joules_total{")
                .endsWith("# EOF\n");
        assertThat(write(MetricNames.DCGM, Form.OPEN_METRICS, gpu()))
                .contains("# TYPE DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION unknown\n");
        assertThat(Form.accepted("application/openmetrics-text;version=1.0.0,text/plain;q=0.5"))
                .isEqualTo(Form.OPEN_METRICS);
        assertThat(Form.accepted("application/openmetrics-text;q=0,text/plain")).isEqualTo(Form.TEXT);
        assertThat(Form.accepted("*/*")).isEqualTo(Form.TEXT);
    }

    @Test
    void otelNamesAreThoseOfTheConventions() {
        assertThat(write(MetricNames.OTEL, Form.TEXT, gpu()))
                .contains("hw_gpu_utilization_ratio{hw_id=\"" + UUID + "\",hw_type=\"gpu\"")
                .contains("hw_gpu_task=\"general\"} 0.07\n")
                .contains("# TYPE hw_energy_joules_total counter\n")
                .contains("hw_gpu_memory_utilization_ratio{");
    }

    /// Prometheus refuses a text in which a family comes twice.
    @Test
    void rowsOfOneNameFollowEachOther() {
        for (MetricNames names : MetricNames.values()) {
            Set<String> over = new HashSet<>();
            String before = "";
            for (Metric row : MetricTable.ROWS) {
                String name = row.name(names).name();
                if (!name.isEmpty() && !name.equals(before)) {
                    assertThat(over.add(name)).as(name).isTrue();
                    before = name;
                }
            }
        }
    }

    @Test
    void numbersAreShortAndExact() {
        assertThat(number(0)).isEqualTo("0");
        assertThat(number(-1.5)).isEqualTo("-1.5");
        assertThat(number(0.001)).isEqualTo("0.001");
        assertThat(number(1e-9)).isEqualTo("1.0E-9");
        assertThat(number(85520809984.0)).isEqualTo("85520809984");
        assertThat(number(1e300)).isEqualTo("1.0E300");
        assertThat(number(99.9999999)).isEqualTo("100");
        assertThat(new TextBuffer().add(Long.MIN_VALUE).toBytes()).asString().isEqualTo("-9223372036854775808");
    }

    private static String number(double value) {
        return new String(new TextBuffer().add(value).toBytes(), StandardCharsets.UTF_8);
    }

    private static String write(MetricNames names, Form form, AcceleratorProfile... devices) {
        return new String(
                MetricsText.of(names, "h").write(AcceleratorRegistry.of(List.of(devices)), List.of(), form),
                StandardCharsets.UTF_8);
    }

    private static AcceleratorProfile gpu() {
        return AcceleratorProfile.cuda(0, Bytes.ofGib(80)).toBuilder()
                .with(DeviceFact.UUID, known(UUID))
                .with(DeviceFact.DEVICE_NAME, known("A \"B\" \\ C\nD\u001b"))
                .with(DeviceFact.DRIVER_VERSION, known("580.1"))
                .with(DeviceFact.PCI_ADDRESS, known(new PciAddress(0, 0xca, 0, 0)))
                .with(DeviceFact.MEMORY_USED, known(Bytes.ofGib(1)))
                .with(DeviceFact.UTILIZATION, known(new Ratio(0.07)))
                .with(DeviceFact.POWER, known(new Watts(113.611)))
                .with(DeviceFact.ENERGY, known(new Joules(1234.5)))
                .with(DeviceFact.CLOCK, known(new Hertz(1_410_000_000L)))
                .build();
    }

    private static <T> Reading<T> known(T value) {
        return Reading.known(value, Provenance.GIVEN);
    }
}
