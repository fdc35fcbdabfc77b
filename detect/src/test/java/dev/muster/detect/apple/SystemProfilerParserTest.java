// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.apple;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.unit.Bytes;
import dev.muster.detect.Fixtures;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SystemProfilerParserTest {
    @Test
    void readsTheRecordedM1() throws IOException {
        String hardware = Fixtures.shared("apple/macos11-m1.system_profiler-hardware.txt");
        List<MacGpu> gpus = SystemProfilerParser.gpus(Fixtures.shared("apple/macos11-m1.system_profiler-displays.txt"));

        assertThat(SystemProfilerParser.findValue(hardware, "Chip")).contains("Apple M1");
        assertThat(SystemProfilerParser.findValue(hardware, "Memory").flatMap(MacMemory::find))
                .contains(Bytes.ofGib(16));
        assertThat(SystemProfilerParser.findValue(hardware, "Total Number of Cores"))
                .contains("8 (4 performance and 4 efficiency)");
        assertThat(gpus).hasSize(1);
        assertThat(gpus.getFirst().findName()).contains("Apple M1");
        assertThat(gpus.getFirst().findCores()).contains(8L);
        assertThat(gpus.getFirst().findMetal()).contains("Metal GPUFamily Apple 7");
        assertThat(gpus.getFirst().findVram()).isEmpty();
        assertThat(gpus.getFirst().isApple()).isTrue();
    }

    @Test
    void readsTheRecordedGpuWithTwoDisplaysAsOne() throws IOException {
        List<MacGpu> gpus =
                SystemProfilerParser.gpus(Fixtures.shared("apple/m3pro-two-displays.system_profiler-displays.txt"));

        assertThat(gpus).hasSize(1);
        assertThat(gpus.getFirst().findName()).contains("Apple M3 Pro");
        assertThat(gpus.getFirst().findCores()).contains(18L);
        assertThat(gpus.getFirst().findMetal()).contains("Metal 4");
        assertThat(gpus.getFirst().findVram()).isEmpty();
    }

    @Test
    void pitfall25_readsEveryKeyForMemoryAndMetal() {
        List<MacGpu> gpus = SystemProfilerParser.gpus("""
                Graphics/Displays:

                    Intel UHD Graphics 630:

                      Chipset Model: Intel UHD Graphics 630
                      VRAM (Dynamic, Max): 1536 MB
                      Vendor: Intel
                      Device ID: 0x3e9b
                      Metal Family: Supported, Metal GPUFamily macOS 2

                    AMD Radeon Pro 5300M:

                      Chipset Model: AMD Radeon Pro 5300M
                      VRAM (Total): 4 GB
                      Vendor: AMD (0x1002)
                      Device ID: 0x7340
                      Metal: Supported
                      Displays:
                        Color LCD:
                          Resolution: 3072 x 1920 Retina
                """);

        assertThat(gpus).hasSize(2);
        assertThat(gpus.getFirst().findVram()).isEmpty();
        assertThat(gpus.getFirst().findShared()).contains(Bytes.ofMib(1536));
        assertThat(gpus.getFirst().findMetal()).contains("Metal GPUFamily macOS 2");
        assertThat(gpus.getFirst().findPciId()).isEmpty();
        assertThat(gpus.getLast().findVram()).contains(Bytes.ofGib(4));
        assertThat(gpus.getLast().findPciId()).contains("1002:7340");
        assertThat(gpus.getLast().findMetal()).isEmpty();
    }

    @Test
    void pitfall24_theExactNumberCountsInEveryLanguage() {
        Bytes exact = Bytes.of(463_117_873_152L);

        assertThat(MacMemory.find("463,12 GB (463 117 873 152 bytes)")).contains(exact);
        assertThat(MacMemory.find("463,12\u00a0GB (463\u00a0117\u00a0873\u00a0152\u00a0bytes)"))
                .contains(exact);
        assertThat(MacMemory.find("463,12 Go (463\u202f117\u202f873\u202f152 octets)"))
                .contains(exact);
        assertThat(MacMemory.find("463.12 GB (463,117,873,152 bytes)")).contains(exact);
        assertThat(MacMemory.find("1,5 GB")).contains(Bytes.ofMib(1536));
        assertThat(MacMemory.find("16\u00a0GB")).contains(Bytes.ofGib(16));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "lots", "16", "x GB", "16 KX", "-4 GB", "(", "() GB", "999999999 TB", "( bytes)"})
    void aTextThatIsNoAmountIsNone(String text) {
        assertThat(MacMemory.find(text)).isEmpty();
    }

    @Test
    void readsJson() {
        List<MacGpu> gpus = SystemProfilerParser.gpusOfJson("""
                {"SPDisplaysDataType":[{"_name":"kHW_AppleM1Item","sppci_model":"Apple M1","sppci_cores":"8",
                "spdisplays_vendor":"sppci_vendor_Apple","spdisplays_mtlgpufamilysupport":"spdisplays_metal3",
                "spdisplays_ndrvs":[{"_name":"Color LCD"},{"_name":"LG"}]},
                {"_name":"Radeon","sppci_cores":8,"spdisplays_vram":"8 GB"},{},1,null]}
                """).orElseThrow();

        assertThat(gpus).hasSize(2);
        assertThat(gpus.getFirst().findName()).contains("Apple M1");
        assertThat(gpus.getFirst().findMetal()).contains("spdisplays_metal3");
        assertThat(gpus.getFirst().isApple()).isTrue();
        assertThat(gpus.getLast().findCores()).contains(8L);
        assertThat(gpus.getLast().findVram()).contains(Bytes.ofGib(8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "[", "[1]", "3"})
    void whatIsNoJsonObjectIsNoList(String text) {
        assertThat(SystemProfilerParser.gpusOfJson(text)).isEmpty();
        assertThat(SystemProfilerParser.gpus(text)).isEmpty();
    }

    @Test
    void anObjectWithoutGpusIsAnEmptyList() {
        assertThat(SystemProfilerParser.gpusOfJson("{}")).contains(List.of());
        assertThat(SystemProfilerParser.gpusOfJson("{\"SPDisplaysDataType\":\"s\"}"))
                .contains(List.of());
    }
}
