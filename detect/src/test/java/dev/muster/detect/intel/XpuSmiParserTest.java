// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.intel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.PciAddress;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Hertz;
import dev.muster.detect.Fixtures;
import dev.muster.detect.text.Amount;
import dev.muster.detect.tool.ToolRow;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XpuSmiParserTest {
    /// Output in the form of Baidu's tool of the same name.
    private static final String BAIDU = """
            +-----------------------------------------------------------------------------+
            | XPU-SMI               Driver Version: 4.31.0       XPU-RT Version: 4.31.0   |
            |-------------------------------+----------------------+----------------------+
            | XPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
            |   0  R480             N/A     | 00000000:53:00.0 N/A |                    0 |
            +-----------------------------------------------------------------------------+
            """;

    @Test
    void readsTheRecordedDiscoveryInBothForms() throws IOException {
        List<ToolRow> table = XpuSmiTableParser.parse(Fixtures.shared("intel/xpu-smi/ats-0x020a.discovery.txt"))
                .orElseThrow();
        List<ToolRow> json = XpuSmiJsonParser.parse(Fixtures.shared("intel/xpu-smi/ats-0x020a.discovery.json"))
                .orElseThrow();

        for (List<ToolRow> devices : List.of(table, json)) {
            assertThat(devices).hasSize(1);
            ToolRow device = devices.getFirst();
            assertThat(device.number()).isZero();
            assertThat(device.find("device_name")).contains("Intel(R) Graphics [0x020a]");
            assertThat(device.findAddress("pci_bdf_address")).isEqualTo(PciAddress.find("0000:4d:00.0"));
            assertThat(device.find("uuid")).contains("00000000-0000-0000-0000-020a00008086");
            assertThat(XpuSmi.findMemory(device)).isEmpty();
            assertThat(XpuSmi.isIntel(device)).isTrue();
        }
    }

    @Test
    void readsTheRecordedDetails() throws IOException {
        List<ToolRow> devices = XpuSmiTableParser.parse(
                        Fixtures.shared("intel/xpu-smi/ats-0x020a.discovery-detail.txt"))
                .orElseThrow();

        assertThat(devices).hasSize(1);
        ToolRow device = devices.getFirst();
        assertThat(XpuSmi.findMemory(device)).contains(Bytes.ofMib(32_768));
        assertThat(device.findCount("number_of_eus")).contains(512L);
        assertThat(device.findCount("number_of_tiles")).contains(2L);
        assertThat(device.findCount("number_of_xe_link_ports")).contains(16L);
        assertThat(device.find("max_tx/rx_speed_per_xe_link_port")).contains("51879.88 MiB/s");
        assertThat(device.findCount("number_of_lanes_per_xe_link_port")).contains(4L);
        assertThat(device.findCount("pcie_generation")).contains(4L);
        assertThat(device.findCount("pcie_max_link_width")).contains(16L);
        assertThat(device.find("ecc_state")).contains("enabled");
        assertThat(device.find("serial_number")).isEmpty();
    }

    @Test
    void readsTheRecordedDump() throws IOException {
        List<ToolRow> devices = XpuSmiDumpParser.parse(
                        Fixtures.shared("intel/xpu-smi/flex-0x56c0-x2.discovery-dump.csv"))
                .orElseThrow();

        assertThat(devices).extracting(ToolRow::number).containsExactly(0L, 1L);
        assertThat(devices).allSatisfy(device -> {
            assertThat(device.find("device_name")).contains("Intel(R) Graphics [0x56c0]");
            assertThat(device.find("core_clock_rate").flatMap(Amount::megahertz))
                    .contains(Hertz.ofMegahertz(2050));
        });
    }

    @Test
    void readsTheRecordedMatrixOfTiles() throws IOException {
        XpuSmiTopology topology = XpuSmiTopology.parse(Fixtures.shared("intel/xpu-smi/max-x2.topology-matrix.txt"))
                .orElseThrow();

        assertThat(topology.links())
                .containsExactly(new XpuSmiTopology.XeLink(0, 1, 16), new XpuSmiTopology.XeLink(0, 1, 16));
        assertThat(topology.lanesBetween(0, 1)).isEqualTo(32);
    }

    @Test
    void joinsAValueThatTheTableWraps() throws IOException {
        List<ToolRow> devices = XpuSmiTableParser.parse(Fixtures.shared("intel/xpu-smi/topology-d0.txt"))
                .orElseThrow();

        assertThat(devices).hasSize(1);
        assertThat(devices.getFirst().find("local_cpu_list")).contains("0-23,48-71");
        assertThat(devices.getFirst().find("pcie_switch"))
                .contains("/sys/devices/pci0000:4a/0000:4a:02.0/0000:4b:00.0/0000:4c:00.0"
                        + "/0000:4d:00.0/0000:4e:18.0/0000:54:00.0/0000:55:01");
    }

    @Test
    void readsMemoryByTheNameOfTheColumnNotByItsPlace() {
        String dump = """
                Device ID,Device Name,Driver Version,PCI BDF Address,Memory Physical Size
                0,"Intel(R) Arc(TM) A770, 16GB","1.3.27642","0000:03:00.0","16384.00 MiB"
                """;
        String widths = "Device ID,Device Name,Memory Bus Width,Number of EUs\n0,\"Intel(R) Arc\",128,512\n";
        String ofOthers = "DeviceId,Name,Mem,Drv\n0,Intel Data Center GPU Max 1550,131072,1.3\n";

        ToolRow device = XpuSmiDumpParser.parse(dump).orElseThrow().getFirst();
        assertThat(XpuSmi.findMemory(device)).contains(Bytes.ofMib(16_384));
        assertThat(device.find("device_name")).contains("Intel(R) Arc(TM) A770, 16GB");
        assertThat(XpuSmi.findMemory(
                        XpuSmiDumpParser.parse(widths).orElseThrow().getFirst()))
                .isEmpty();
        assertThat(XpuSmi.findMemory(
                        XpuSmiDumpParser.parse(ofOthers).orElseThrow().getFirst()))
                .contains(Bytes.ofMib(131_072));
    }

    @Test
    void readsBytesOfTheDetailedJson() {
        String json = "{\"device_list\":[{\"device_id\":0,\"memory_physical_size_byte\":\"17179869184\"}]}";

        assertThat(XpuSmi.findMemory(XpuSmiJsonParser.parse(json).orElseThrow().getFirst()))
                .contains(Bytes.ofGib(16));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "junk",
                "{}",
                "{\"device_list\":{}}",
                "[",
                "x,Arc,1,1",
                "| |",
                "GPU 0/0|S",
                "         GPU 0/0|GPU 0/1|CPU Affinity\nGPU 0/0 |S",
                "         GPU 0/0|CPU Affinity\nGPU 0/0 |",
                "\u0000\ufffd,\"",
            })
    void makesNothingOfJunk(String text) {
        assertThat(XpuSmiJsonParser.parse(text)).isEmpty();
        assertThat(XpuSmiDumpParser.parse(text)).isEmpty();
        assertThat(XpuSmiTableParser.parse(text)).isEmpty();
        assertThat(XpuSmiTopology.parse(text)).isEmpty();
    }

    @Test
    void leavesOutDevicesWithImpossibleNumbers() {
        assertThat(XpuSmiJsonParser.parse("{\"device_list\":[{\"device_id\":-1},{\"device_id\":99999},1,null]}"))
                .contains(List.of());
        assertThat(XpuSmiDumpParser.parse("Device ID,Device Name\nx,Arc\n0\n")).contains(List.of());
    }

    @Test
    void pitfall19_outputOfBaidusToolOfTheSameNameIsNotIntels() {
        assertThat(XpuSmiJsonParser.parse(BAIDU)).isEmpty();
        assertThat(XpuSmiDumpParser.parse(BAIDU)).isEmpty();
        assertThat(XpuSmiTableParser.parse(BAIDU)).isEmpty();
        assertThat(XpuSmiTopology.parse(BAIDU)).isEmpty();
    }
}
