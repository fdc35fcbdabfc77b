// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static dev.muster.detect.nvidia.Smi.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import dev.muster.detect.Fixtures;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class NvidiaQueryTest {
    private static final String RTX4090 =
            "1, 24564, 300, 23800, 8.9, 545.23.08, NVIDIA GeForce RTX 4090, 55, 80.11, 12, 10501\n";

    @Test
    void asksWhatTheReferenceAsks() {
        assertThat(NvidiaSmiQuerySource.QUESTION)
                .containsExactly(
                        "--query-gpu=index,memory.total,memory.used,memory.free,compute_cap,driver_version,name,"
                                + "temperature.gpu,power.draw,utilization.gpu,clocks.max.memory",
                        "--format=csv,noheader,nounits");
    }

    @Test
    void readsARow() {
        AcceleratorProfile gpu = only(RTX4090);

        assertThat(gpu.id().text()).isEqualTo("cuda:1");
        assertThat(value(gpu, DeviceFact.MEMORY)).contains(Bytes.ofMib(24_564));
        assertThat(value(gpu, DeviceFact.MEMORY_USED)).contains(Bytes.ofMib(300));
        assertThat(value(gpu, DeviceFact.MEMORY_FREE)).contains(Bytes.ofMib(23_800));
        assertThat(value(gpu, DeviceFact.COMPUTE_CAPABILITY)).contains("8.9");
        assertThat(value(gpu, DeviceFact.DRIVER_VERSION)).contains("545.23.08");
        assertThat(value(gpu, DeviceFact.DEVICE_NAME)).contains("NVIDIA GeForce RTX 4090");
        assertThat(value(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(55));
        assertThat(value(gpu, DeviceFact.POWER)).contains(new Watts(80.11));
        assertThat(value(gpu, DeviceFact.UTILIZATION)).contains(new Ratio(0.12));
        assertThat(value(gpu, DeviceFact.MEMORY_CLOCK_MAX)).contains(Hertz.ofMegahertz(10_501));
        assertThat(gpu.reading(DeviceFact.UUID)).isEqualTo(Reading.notProbed());
    }

    @Test
    void keepsAGpuWhoseMemoryIsUnknown() {
        AcceleratorProfile gpu = only("0, [N/A], [N/A], [N/A], 12.1, 580.95.05, NVIDIA GB10, 40, 4.50, 0, [N/A]\n");

        assertThat(gpu.memory()).isEqualTo(Reading.unknown(UnknownReason.NOT_SUPPORTED, "nvidia-smi reports '[N/A]'"));
        assertThat(value(gpu, DeviceFact.COMPUTE_CAPABILITY)).contains("12.1");
    }

    @Test
    void whatStandsForNothingIsNoCapabilityDriverOrName() {
        AcceleratorProfile gpu =
                only("0, 81559, [N/A], [N/A], [N/A], [N/A], [N/A], [N/A], [N/A], [N/A], [Not Supported]");

        assertThat(gpu.reading(DeviceFact.COMPUTE_CAPABILITY).isKnown()).isFalse();
        assertThat(gpu.reading(DeviceFact.DRIVER_VERSION).isKnown()).isFalse();
        assertThat(gpu.deviceName().isKnown()).isFalse();
        assertThat(gpu.memory().find()).contains(Bytes.ofMib(81_559));
    }

    @Test
    void blankLinesAreNoFault() {
        NvidiaQuery query = NvidiaQuery.parse("\n" + RTX4090 + "\n   \n");

        assertThat(query.rows()).hasSize(1);
        assertThat(query.faults()).isEmpty();
        assertThat(NvidiaQuery.parse("")).isEqualTo(new NvidiaQuery(List.of(), List.of()));
    }

    @Test
    void aCommaInTheNameShiftsNothing() {
        AcceleratorProfile gpu = only("0, 1024, 1, 2, 7.5, 550, Acme GPU, 2nd, rev B, 41, 118.27, 5, 5001");

        assertThat(value(gpu, DeviceFact.DEVICE_NAME)).contains("Acme GPU, 2nd, rev B");
        assertThat(value(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(41));
        assertThat(value(gpu, DeviceFact.MEMORY_CLOCK_MAX)).contains(Hertz.ofMegahertz(5001));
    }

    @Test
    void wordsThatAreNoNumbersStayUnknown() {
        AcceleratorProfile gpu = only("0, 81559, 1, 2, 9.0, 550, N, -500, nan, 101, inf");

        assertThat(gpu.reading(DeviceFact.TEMPERATURE).isKnown()).isFalse();
        assertThat(gpu.reading(DeviceFact.POWER).isKnown()).isFalse();
        assertThat(gpu.reading(DeviceFact.UTILIZATION).isKnown()).isFalse();
        assertThat(gpu.reading(DeviceFact.MEMORY_CLOCK_MAX).isKnown()).isFalse();
    }

    @Test
    void graceHopperGetsNoMemoryFromNowhere() {
        AcceleratorProfile gpu = only("11, 97871, 0, 97871, 9.0, 550, NVIDIA GH200 120GB, 41, 118.27, 0, 2619");

        assertThat(gpu.memory().find()).contains(Bytes.ofMib(97_871));
        assertThat(gpu.reading(DeviceFact.MEMORY_SHARED)).isEqualTo(Reading.notProbed());
    }

    @Test
    void olderToolsAnswerFewerColumns() {
        AcceleratorProfile gpu = only("0, 81559, 0, 81559, 9.0, 550");

        assertThat(value(gpu, DeviceFact.DRIVER_VERSION)).contains("550");
        assertThat(gpu.deviceName()).isEqualTo(Reading.notProbed());
        assertThat(value(only("0, 81559, 0, 81559, 9.0, 550, NVIDIA H100"), DeviceFact.DEVICE_NAME))
                .contains("NVIDIA H100");
    }

    @Test
    void linesThatAreNoRowsAreNamed() {
        NvidiaQuery query = NvidiaQuery.parse("garbage\nx, 1, 2, 3, 4, 5\n1025, 1, 2, 3, 4, 5\n" + RTX4090);

        assertThat(query.rows()).hasSize(1);
        assertThat(query.faults())
                .containsExactly(
                        "expected 6+ CSV fields, got 1: garbage",
                        "invalid device id 'x'",
                        "device id 1025 exceeds maximum (1024)");
    }

    @Test
    void readsTheRecordedRowOfAnH200() throws IOException {
        NvidiaQuery query = NvidiaQuery.parse(
                Fixtures.own("nvidia/h200-microvm/nvidia-smi-csv1.txt"),
                List.of(
                        "index",
                        "memory.total",
                        "memory.used",
                        "memory.free",
                        "compute_cap",
                        "driver_version",
                        "temperature.gpu",
                        "power.draw",
                        "utilization.gpu",
                        "name"));

        AcceleratorProfile gpu = query.rows().getFirst().profile(Smi.SOURCE);
        assertThat(value(gpu, DeviceFact.MEMORY)).contains(Bytes.ofMib(143_771));
        assertThat(value(gpu, DeviceFact.MEMORY_USED)).contains(Bytes.ZERO);
        assertThat(value(gpu, DeviceFact.MEMORY_FREE)).contains(Bytes.ofMib(143_156));
        assertThat(value(gpu, DeviceFact.COMPUTE_CAPABILITY)).contains("9.0");
        assertThat(value(gpu, DeviceFact.DRIVER_VERSION)).contains("580.159.04");
        assertThat(value(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(34));
        assertThat(value(gpu, DeviceFact.POWER)).contains(new Watts(100.56));
        assertThat(value(gpu, DeviceFact.DEVICE_NAME)).contains("NVIDIA H200");
    }

    @Test
    void readsAWiderTableWithHeaderAndUnits() throws IOException {
        NvidiaQuery query = SmiCapture.parseWithHeader(Fixtures.own("nvidia/h200-microvm/nvidia-smi-csv2.txt"));

        AcceleratorProfile gpu = query.rows().getFirst().profile(Smi.SOURCE);
        assertThat(value(gpu, DeviceFact.UUID)).contains("GPU-06b9ba2e-b33e-c22a-dc3f-5efe9098ec9c");
        assertThat(value(gpu, DeviceFact.PCI_ADDRESS)).contains(new PciAddress(0, 0, 6, 0));
        assertThat(value(gpu, DeviceFact.MEMORY)).contains(Bytes.ofMib(143_771));
        assertThat(value(gpu, DeviceFact.MEMORY_CLOCK_MAX)).contains(Hertz.ofMegahertz(3201));
        assertThat(value(gpu, DeviceFact.CLOCK_MAX)).contains(Hertz.ofMegahertz(1980));
        assertThat(value(gpu, DeviceFact.PCIE_GENERATION_MAX)).contains(5L);
        assertThat(value(gpu, DeviceFact.PCIE_WIDTH_MAX)).contains(16L);
        assertThat(value(gpu, DeviceFact.ECC)).contains(true);
        assertThat(value(gpu, DeviceFact.PARTITIONING)).contains("none");
        assertThat(value(gpu, DeviceFact.POWER_LIMIT)).contains(new Watts(700));
        assertThat(value(gpu, DeviceFact.COMPUTE_CAPABILITY)).contains("9.0");
    }

    private static AcceleratorProfile only(String text) {
        NvidiaQuery query = NvidiaQuery.parse(text);
        assertThat(query.faults()).isEmpty();
        assertThat(query.rows()).hasSize(1);
        return query.rows().getFirst().profile(Smi.SOURCE);
    }
}
