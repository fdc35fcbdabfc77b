// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.windows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Contexts;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.host.OperatingSystem;
import dev.muster.detect.probe.ProbeReport;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowsProbeTest {
    private static final String JSON = """
            {"controllers":[
            {"Name":"NVIDIA GeForce RTX 4090","AdapterRAM":4293918720,"DriverVersion":"31.0.15.3623",
            "PNPDeviceID":"PCI\\\\VEN_10DE&DEV_2684&SUBSYS_165710DE&REV_A1\\\\4&1F9"},
            {"Name":"Intel(R) UHD Graphics 770","AdapterRAM":1073741824,"DriverVersion":"31.0.101",
            "PNPDeviceID":"PCI\\\\VEN_8086&DEV_4680&SUBSYS_86941043&REV_0C\\\\3&1"},
            {"Name":"Microsoft Basic Display Adapter","AdapterRAM":null},
            {"Name":"Parsec Virtual Display Adapter","PNPDeviceID":"ROOT\\\\DISPLAY\\\\0000"}],
            "memory":[{"DriverDesc":"NVIDIA GeForce RTX 4090","MatchingDeviceId":"pci\\\\ven_10de&dev_2684",
            "MemorySize":25757220864},{"DriverDesc":"Intel(R) UHD Graphics 770",
            "MatchingDeviceId":"pci\\\\ven_8086&dev_4680","MemorySize":null}]}
            """;

    @Test
    void pitfall26_memoryPast4GibComesFromTheRegistry() {
        HostSketch host = new HostSketch().system(OperatingSystem.WINDOWS).tool("powershell.exe -NoProfile *", JSON);

        ProbeReport report = probe(host);

        assertThat(report.gaps()).isEmpty();
        assertThat(report.profiles()).hasSize(2);
        AcceleratorProfile nvidia = report.profiles().getFirst();
        assertThat(nvidia.accelerator()).isEqualTo(AcceleratorType.of(AcceleratorKind.WINDOWS_GPU, 0));
        assertThat(nvidia.memory().find()).contains(Bytes.of(25_757_220_864L));
        assertThat(nvidia.reading(DeviceFact.PCI_ID).find()).contains("10de:2684");
        assertThat(nvidia.reading(DeviceFact.DRIVER_VERSION).find()).contains("31.0.15.3623");
        AcceleratorProfile intel = report.profiles().getLast();
        assertThat(intel.memory().find()).contains(Bytes.ofGib(1));
        assertThat(intel.reading(DeviceFact.PCI_ID).find()).contains("8086:4680");
    }

    @ParameterizedTest
    @ValueSource(strings = {"4293918720", "4294967295", "4294967296", "0", "-1", "", "x"})
    void pitfall26_aFullOrEmpty32BitNumberIsNoMemory(String ram) {
        assertThat(new WindowsAdapter("X", ram, "", "").findMemory()).isEmpty();
    }

    @Test
    void readsTheListOfAnOlderTool() {
        String text = """

                AdapterRAM=4293918720
                DriverVersion=31.0.15
                Name=NVIDIA RTX A2000
                PNPDeviceID=PCI\\VEN_10DE&amp;DEV_2531&amp;SUBSYS_1


                AdapterRAM=1073741824
                DriverVersion=1
                Name=AMD Radeon(TM) Graphics
                PNPDeviceID=PCI\\VEN_1002&amp;DEV_1638
                """;
        HostSketch host = new HostSketch().tool("wmic *", text.replace("\n", "\r\r\n"));

        List<AcceleratorProfile> gpus = probe(host).profiles();

        assertThat(gpus).hasSize(2);
        assertThat(gpus.getFirst().reading(DeviceFact.PCI_ID).find()).contains("10de:2531");
        assertThat(gpus.getFirst().memory().isKnown()).isFalse();
        assertThat(gpus.getLast().memory().find()).contains(Bytes.ofGib(1));
    }

    @Test
    void readsCommaSeparatedValuesWithABlankLineBefore() {
        String text = """

                Node,AdapterRAM,DriverVersion,Name,VideoProcessor
                PC,2147483648,31.0.15.3623,NVIDIA T400,NVIDIA T400
                PC,1
                """;
        String quoted = """
                "Name","AdapterRAM","DriverVersion"
                "Radeon, Pro","5","1"
                """;

        assertThat(WmicParser.parse(text.replace("\n", "\r\n")))
                .contains(List.of(new WindowsAdapter("NVIDIA T400", "2147483648", "31.0.15.3623", "")));
        assertThat(WmicParser.parse(quoted)).contains(List.of(new WindowsAdapter("Radeon, Pro", "5", "1", "")));
    }

    @Test
    void aListOfOneIsThatOne() {
        PowerShellParser.Answer answer =
                PowerShellParser.parse("{\"Name\":\"X\",\"AdapterRAM\":1024}").orElseThrow();

        assertThat(answer.adapters()).isEqualTo(List.of(new WindowsAdapter("X", "1024", "", "")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "junk", "[", "No Instance(s) Available.", "\u0000\ufffd"})
    void makesNothingOfJunk(String text) {
        assertThat(PowerShellParser.parse(text)).isEmpty();
        assertThat(WmicParser.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3", "\"x\"", "null", "[]", "[1,null,{}]", "{}", "{\"controllers\":4,\"memory\":[[]]}"})
    void jsonWithoutControllersHasNone(String text) {
        assertThat(PowerShellParser.parse(text).orElseThrow().adapters()).isEmpty();
    }

    @Test
    void aStrangeIdIsNoPciId() {
        for (String id :
                List.of("", "PCI\\", "PCI\\VEN_10DE", "PCI\\VEN_10DE&DEV_2", "PCI\\VEN_XX&DEV_2684", "USB\\VEN_10DE")) {
            assertThat(new WindowsAdapter("X", "", "", id).findPciId()).isEmpty();
        }
    }

    @Test
    void toolsThatFailAreGapsAndOnesThatHangAreAskedOnce() {
        ProbeReport report = probe(new HostSketch()
                .tool("powershell *", 0, "", "", Duration.ofMinutes(1))
                .tool("wmic *", 1, "", "deprecated\n"));

        assertThat(report.profiles()).isEmpty();
        assertThat(report.gaps()).hasSize(2);
        assertThat(report.gaps()).filteredOn(gap -> gap instanceof Gap.Timeout).hasSize(1);
    }

    @Test
    void hasSignsOnlyWhereThereIsWindows() {
        assertThat(new WindowsProbe().hasSigns(Contexts.of(new HostSketch()))).isFalse();
        assertThat(new WindowsProbe().hasSigns(Contexts.of(new HostSketch().system(OperatingSystem.WINDOWS))))
                .isTrue();
        assertThat(new WindowsProbe().hasSigns(Contexts.of(new HostSketch().tool("wmic *", ""))))
                .isTrue();
    }

    private static ProbeReport probe(HostSketch host) {
        return new WindowsProbe().probe(Contexts.of(host));
    }
}
