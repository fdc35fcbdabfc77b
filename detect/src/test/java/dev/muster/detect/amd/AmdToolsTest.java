// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import static dev.muster.detect.amd.AmdHosts.fact;
import static dev.muster.detect.amd.AmdHosts.only;
import static dev.muster.detect.amd.AmdHosts.probe;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeReport;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AmdToolsTest {
    private static final String METRIC = """
            [{"gpu": 0, "usage": {"gfx_activity": {"value": 50, "unit": "%"}},
              "temperature": {"edge": "N/A", "hotspot": {"value": 40, "unit": "C"}, "mem": {"value": 0, "unit": "C"}},
              "mem_usage": {"total_vram": {"value": 196592, "unit": "MB"}, "used_vram": {"value": 284, "unit": "MB"}}}]
            """;

    @Test
    void asksAmdSmiWhereThereAreNoFiles() throws IOException {
        HostSketch host = new HostSketch()
                .tool("amd-smi static --json", Fixtures.own("amd/amd-smi/mi300x__rocm6__synthetic.json"))
                .tool("amd-smi metric --json", METRIC)
                .tool(
                        "amd-smi version",
                        "AMDSMI Tool: 26.0.0 | AMDSMI Library version: 26.0.0 | ROCm version: 7.0.0\n");

        AcceleratorProfile gpu = only(probe(host));

        assertThat(gpu.memory().find()).contains(Bytes.ofMib(196_592));
        assertThat(fact(gpu, DeviceFact.MEMORY_USED)).contains(Bytes.ofMib(284));
        assertThat(fact(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(40));
        assertThat(gpu.reading(DeviceFact.MEMORY_TEMPERATURE).isKnown()).isFalse();
        assertThat(fact(gpu, DeviceFact.RUNTIME_VERSION)).contains("7.0.0");
        assertThat(fact(gpu, DeviceFact.PARTITIONING)).contains("none");
        assertThat(fact(gpu, DeviceFact.ARCHITECTURE)).contains("CDNA 3");
        assertThat(gpu.memory())
                .isInstanceOfSatisfying(
                        Reading.Known.class,
                        known -> assertThat(known.provenance().method()).isEqualTo(Provenance.Method.COMMAND));
    }

    @Test
    void fallsBackToRocmSmiAndThenToRocminfo() {
        HostSketch host = new HostSketch()
                .tool("amd-smi *", 255, "", "no driver")
                .tool("rocm-smi -a --json", "{\"card0\": {\"Device ID\": \"0x740f\", \"PCI Bus\": \"0000:23:00.0\"}}");
        ProbeReport report = probe(host);
        assertThat(only(report).deviceName().find()).contains("AMD Instinct MI210");
        assertThat(report.gaps()).singleElement().isInstanceOf(Gap.ToolFailed.class);

        HostSketch other = new HostSketch()
                .tool("rocm-smi -a --json", "No AMD GPUs")
                .tool("rocminfo", "Agent 1\n  Name: gfx1100\n  Vendor Name: AMD\n  Device Type: GPU\n");
        ProbeReport second = probe(other);
        assertThat(fact(only(second), DeviceFact.COMPUTE_CAPABILITY)).contains("gfx1100");
        assertThat(second.gaps()).singleElement().isInstanceOf(Gap.Unparsable.class);
    }

    @Test
    void asksAHangingToolOnce() {
        HostSketch host = new HostSketch()
                .tool("rocm-smi *", 0, "", "", Duration.ofHours(1))
                .file("/sys/class/drm/card0/device/uevent", "DRIVER=amdgpu\nPCI_ID=1002:740F\n")
                .file("/sys/class/drm/card1/device/uevent", "DRIVER=amdgpu\nPCI_ID=1002:740F\n");

        ProbeReport report = probe(host);

        assertThat(report.profiles())
                .hasSize(2)
                .allSatisfy(gpu -> assertThat(gpu.memory().isKnown()).isFalse());
        assertThat(report.gaps()).singleElement().isInstanceOf(Gap.Timeout.class);
    }

    @Test
    void asksNoToolWhereFilesTellMemoryAndName() {
        HostSketch host = AmdHosts.card(new HostSketch(), 0, "0000:03:00.0", "1002:740F")
                .tool("amd-smi *", 1, "", "must not run")
                .tool("rocm-smi *", 1, "", "must not run");

        assertThat(probe(host).gaps()).isEmpty();
    }

    @Test
    void completesACardByItsAddress() {
        HostSketch host = new HostSketch()
                .file(
                        "/sys/class/drm/card0/device/uevent",
                        "DRIVER=amdgpu\nPCI_ID=1002:744C\nPCI_SLOT_NAME=0000:03:00.0\n")
                .tool(
                        "rocm-smi -a --json",
                        "{\"card0\": {\"Device ID\": \"0x15bf\", \"PCI Bus\": \"0000:64:00.0\","
                                + " \"VRAM Total Memory (B)\": \"4294967296\"},"
                                + " \"card1\": {\"Device ID\": \"0x744c\", \"PCI Bus\": \"0000:03:00.0\","
                                + " \"VRAM Total Memory (B)\": \"25753026560\", \"Card Series\": \"Other words\"}}");

        ProbeReport report = probe(host);

        assertThat(only(report).memory().find()).contains(Bytes.of(25_753_026_560L));
        assertThat(only(report).deviceName().find()).contains("AMD Navi 31");
        assertThat(report.gaps()).isEmpty();
    }

    @Test
    void reportsWhereToolAndFilesContradictEachOther() {
        HostSketch host = new HostSketch()
                .file(
                        "/sys/class/drm/card0/device/uevent",
                        "DRIVER=amdgpu\nPCI_ID=1002:744C\nPCI_SLOT_NAME=0000:03:00.0\n")
                .tool("rocm-smi -a --json", "{\"card0\": {\"Device ID\": \"0x7550\", \"PCI Bus\": \"0000:03:00.0\"}}");

        ProbeReport report = probe(host);

        assertThat(fact(only(report), DeviceFact.PCI_ID)).contains("1002:744c");
        assertThat(report.gaps()).singleElement().isInstanceOf(Gap.Conflict.class);
    }

    @Test
    void countsAPartitionedPackageOnce() {
        HostSketch host = new HostSketch()
                .tool("amd-smi static --json", """
                        [{"gpu": 0, "bus": {"bdf": "0000:05:00.0"}, "asic": {"market_name": "MI308X"},
                          "partition": {"compute_partition": "CPX", "memory_partition": "NPS4", "partition_id": 0}},
                         {"gpu": 1, "bus": {"bdf": "0000:05:00.1"}, "asic": {"market_name": "MI308X"},
                          "partition": {"compute_partition": "CPX", "memory_partition": "NPS4", "partition_id": 1}},
                         {"gpu": 2, "bus": {"bdf": "0000:15:00.0"}, "asic": {"market_name": "MI308X"},
                          "partition": {"compute_partition": "CPX", "memory_partition": "NPS4", "partition_id": 0}}]
                        """)
                .tool("amd-smi metric --json", "[]")
                .tool("amd-smi version", "");

        ProbeReport report = probe(host);

        assertThat(report.profiles()).extracting(gpu -> gpu.id().text()).containsExactly("rocm:0", "rocm:1");
        assertThat(fact(report.profiles().getFirst(), DeviceFact.PARTITIONING)).contains("CPX/NPS4");
    }

    @Test
    void pitfall18_hygonsToolAloneGivesNoAmdGpu() {
        HostSketch host = new HostSketch()
                .tool("rocm-smi -a --json", "{\"card0\": {\"DCU use (%)\": \"0\", \"Card Series\": \"Z100\"}}");

        assertThat(probe(host).profiles()).isEmpty();
    }

    @Test
    void aWarningBeforeTheDocumentIsPassedOver() {
        String warning = "WARNING: User is missing the following required groups: render, video.\n";
        HostSketch host = new HostSketch()
                .tool(
                        "amd-smi static --json",
                        warning + "[{\"gpu\": 0, \"asic\": {\"market_name\": \"AMD Instinct MI300X\"}}]")
                .tool("amd-smi metric --json", warning + "[]");
        HostSketch older =
                new HostSketch().tool("rocm-smi -a --json", warning + "{\"card0\": {\"Device ID\": \"0x74a1\"}}\n");

        assertThat(new RocmProbe().probe(Contexts.of(host)).profiles()).hasSize(1);
        assertThat(new RocmProbe().probe(Contexts.of(older)).profiles()).hasSize(1);
    }

    @Test
    void theShortAnswerOfAnApuIsADeviceToo() {
        HostSketch host = new HostSketch()
                .tool(
                        "rocm-smi -a --json",
                        "{\"card0\": {\"Device Name\": \"AMD Radeon Graphics\", \"GFX Version\": \"gfx1151\", \"GPU use (%)\": \"3\"}}");

        assertThat(new RocmProbe().probe(Contexts.of(host)).profiles())
                .singleElement()
                .satisfies(gpu ->
                        assertThat(fact(gpu, DeviceFact.COMPUTE_CAPABILITY)).contains("gfx1151"));
    }

    @Test
    void anAnswerWithoutAnyKnownGpuIsAGap() {
        HostSketch host = new HostSketch().tool("rocm-smi -a --json", "{\"card0\": {\"Something\": \"else\"}}");

        assertThat(new RocmProbe().probe(Contexts.of(host)).gaps())
                .singleElement()
                .isInstanceOf(Gap.Unparsable.class);
    }

    @Test
    void aNameWithoutItsBeginningIsMadeWhole() {
        HostSketch host = new HostSketch()
                .tool(
                        "rocm-smi -a --json",
                        "{\"card0\": {\"GPU use (%)\": \"3\", \"Card series\": \"deon Instinct MI50\"}}");

        assertThat(new RocmProbe().probe(Contexts.of(host)).profiles())
                .singleElement()
                .satisfies(gpu -> assertThat(gpu.deviceName().find()).contains("Radeon Instinct MI50"));
    }
}
