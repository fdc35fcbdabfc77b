// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.detect.DetectBuilder;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostBuilder;
import dev.muster.detect.host.HostCapture;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands that read telemetry, on a recorded host with telemetry in its files.
class TelemetryOptionTest {
    private static final String CARD = "/sys/class/drm/card0/device";

    private final MusterRun pipe = MusterRun.inPipe();
    private String bundle = "";

    @BeforeEach
    void record(@TempDir Path folder) {
        Path file = folder.resolve("host.tar.gz");
        Host host = new HostBuilder()
                .file(CARD + "/uevent", "DRIVER=amdgpu\nPCI_ID=1002:740F\nPCI_SLOT_NAME=0000:03:00.0\n")
                .file(CARD + "/mem_info_vram_total", "68702699520\n")
                .file(CARD + "/mem_busy_percent", "21\n")
                .file(CARD + "/pcie_bw", "1000000 250000 256\n")
                .build();
        DetectBuilder asking = DetectBuilder.all().withTelemetry();
        HostCapture.write(
                host, watched -> asking.build(watched, System.getLogger("test")).detect(), file, true);
        bundle = file.toString();
    }

    @Test
    void detectAsksOnlyWithTheOption() {
        assertThat(pipe.run("detect", "--host", bundle, "--json").quietOutput())
                .doesNotContain("pcieSent")
                .doesNotContain("memoryUtilization");
        assertThat(pipe.run("detect", "--host", bundle, "--telemetry", "--json").quietOutput())
                .contains("\"memoryUtilizationRatio\":0.21", "\"pcieSentBytesPerSecond\":64000000");
    }

    @Test
    void tablesShowItWhereItWasAskedFor() {
        String fields = "id,memory-load,pcie-sent,pcie-received";

        assertThat(pipe.run("detect", "--host", bundle, "--telemetry", "--fields", fields)
                        .out())
                .contains("MEM LOAD", "PCIE SENT", "21 %", "0.1 GB/s", "0.3 GB/s");
        assertThat(pipe.run("detect", "--host", bundle, "--telemetry", "--width", "200")
                        .out())
                .contains("PCIE RECEIVED");
        assertThat(pipe.run("detect", "--host", bundle, "--width", "200").out()).doesNotContain("PCIE RECEIVED");
    }

    @Test
    void watchAlwaysAsks() {
        assertThat(pipe.run("watch", "--host", bundle, "--count", "1", "-o", "json")
                        .out())
                .contains("\"pcieReceivedBytesPerSecond\":256000000");
    }
}
