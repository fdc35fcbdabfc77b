// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static dev.muster.detect.nvidia.Smi.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.ProcessList;
import dev.muster.core.ProcessList.DeviceProcess;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Ratio;
import dev.muster.detect.Contexts;
import dev.muster.detect.host.HostSketch;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class NvidiaSmiTelemetryTest {
    @Test
    void theRecordedMachineSaysWhatItsDocumentHas() throws IOException {
        AcceleratorProfile gpu = new NvidiaProbe()
                .probe(Contexts.of(H200Machine.whole()).withTelemetry())
                .profiles()
                .getFirst();

        assertThat(value(gpu, DeviceFact.PCIE_SENT)).contains(new Bandwidth(0.00104));
        assertThat(value(gpu, DeviceFact.PCIE_RECEIVED)).contains(new Bandwidth(0.000641));
        assertThat(value(gpu, DeviceFact.MEMORY_UTILIZATION)).contains(new Ratio(0));
        assertThat(value(gpu, DeviceFact.ENCODER_UTILIZATION)).contains(new Ratio(0));
        assertThat(value(gpu, DeviceFact.DECODER_UTILIZATION)).contains(new Ratio(0));
        assertThat(value(gpu, DeviceFact.REMAPPED_ROWS)).contains(0L);
        assertThat(value(gpu, DeviceFact.ROW_REMAPPING)).contains("ok");
        assertThat(gpu.reading(DeviceFact.ENERGY).isNotProbed()).isTrue();
    }

    @Test
    void aPlainDetectionSaysNothingOfIt() throws IOException {
        AcceleratorProfile gpu = new NvidiaProbe()
                .probe(Contexts.of(H200Machine.whole()))
                .profiles()
                .getFirst();

        assertThat(gpu.reading(DeviceFact.PCIE_SENT).isNotProbed()).isTrue();
        assertThat(gpu.reading(DeviceFact.SERIAL).isNotProbed()).isTrue();
    }

    @Test
    void rowsOfBothKindsAreCountedAndTheWorstStateIsTold() {
        AcceleratorProfile gpu = telemetry("""
                <pci><tx_util>1066699 KB/s</tx_util><rx_util>N/A</rx_util></pci>
                <utilization><encoder_util>12 %</encoder_util><decoder_util>N/A</decoder_util></utilization>
                <remapped_rows>
                  <remapped_row_corr>4</remapped_row_corr><remapped_row_unc>1</remapped_row_unc>
                  <remapped_row_pending>Yes</remapped_row_pending><remapped_row_failure>Yes</remapped_row_failure>
                </remapped_rows>
                """);

        assertThat(value(gpu, DeviceFact.REMAPPED_ROWS)).contains(5L);
        assertThat(value(gpu, DeviceFact.ROW_REMAPPING)).contains("failed");
        assertThat(value(gpu, DeviceFact.PCIE_SENT)).contains(new Bandwidth(1.066699));
        assertThat(gpu.reading(DeviceFact.PCIE_RECEIVED).isKnown()).isFalse();
        assertThat(value(gpu, DeviceFact.ENCODER_UTILIZATION)).contains(new Ratio(0.12));
        assertThat(gpu.reading(DeviceFact.DECODER_UTILIZATION).isKnown()).isFalse();
    }

    @Test
    void aGpuWithoutSpareRowsKeepsThemUnknown() {
        AcceleratorProfile gpu = telemetry("<remapped_rows>N/A</remapped_rows>");

        assertThat(gpu.reading(DeviceFact.REMAPPED_ROWS).isKnown()).isFalse();
        assertThat(gpu.reading(DeviceFact.ROW_REMAPPING).isKnown()).isFalse();
    }

    @Test
    void aProgramWithoutANameGetsTheKernelsAndOthersKeepTheirs() {
        HostSketch host = host("""
                <processes>
                  <process_info><pid>7</pid><process_name>N/A</process_name><used_memory>8 MiB</used_memory></process_info>
                  <process_info><pid>8</pid><process_name>/opt/serve</process_name><used_memory>N/A</used_memory></process_info>
                  <process_info><pid>9</pid><process_name>N/A</process_name><used_memory>N/A</used_memory></process_info>
                </processes>
                """).file("/proc/7/comm", "python3\n").file("/proc/8/comm", "other\n");
        AcceleratorProfile gpu =
                new NvidiaProbe().probe(Contexts.of(host)).profiles().getFirst();

        assertThat(value(gpu, DeviceFact.PROCESSES))
                .contains(new ProcessList(List.of(
                        new DeviceProcess(7, "python3", Bytes.ofMib(8)),
                        new DeviceProcess(8, "/opt/serve", null),
                        new DeviceProcess(9, null, null))));
    }

    private static AcceleratorProfile telemetry(String gpu) {
        return new NvidiaProbe()
                .probe(Contexts.of(host(gpu)).withTelemetry())
                .profiles()
                .getFirst();
    }

    private static HostSketch host(String gpu) {
        return new HostSketch()
                .tool("nvidia-smi -q -x", Smi.document("<product_name>NVIDIA H100</product_name>" + gpu));
    }
}
