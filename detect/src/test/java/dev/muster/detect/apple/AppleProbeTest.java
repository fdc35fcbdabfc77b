// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.apple;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.cpu.CpuProbe;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.host.OperatingSystem;
import dev.muster.detect.probe.ProbeReport;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class AppleProbeTest {
    private static final Reading<Bytes> SHARED =
            Reading.unknown(UnknownReason.NOT_SUPPORTED, "shares the host's memory");

    @Test
    void findsGpuAndNeuralEngineOfTheRecordedM1() throws IOException {
        ProbeReport report = probe(new HostSketch()
                .system(OperatingSystem.MACOS)
                .tool(
                        "system_profiler SPHardwareDataType",
                        Fixtures.shared("apple/macos11-m1.system_profiler-hardware.txt"))
                .tool(
                        "system_profiler SPDisplaysDataType",
                        Fixtures.shared("apple/macos11-m1.system_profiler-displays.txt")));

        assertThat(kinds(report)).containsExactly(AcceleratorKind.METAL_GPU, AcceleratorKind.APPLE_NPU);
        AcceleratorProfile metal = report.profiles().getFirst();
        assertThat(metal.memory().find()).contains(Bytes.ofGib(16));
        assertThat(metal.reading(DeviceFact.MEMORY_SHARED).find()).contains(Bytes.ofGib(16));
        assertThat(metal.deviceName().find()).contains("Apple M1");
        assertThat(metal.reading(DeviceFact.COMPUTE_UNITS).find()).contains(8L);
        assertThat(metal.reading(DeviceFact.COMPUTE_CAPABILITY).find()).contains("Apple M1, Metal GPUFamily Apple 7");
        assertThat(report.profiles().getLast().memory()).isEqualTo(SHARED);
        assertThat(report.gaps()).isEmpty();
    }

    @Test
    void readsJsonWhereTheSystemKnowsIt() {
        HostSketch host = new HostSketch()
                .system(OperatingSystem.MACOS)
                .tool("system_profiler SPHardwareDataType", "      Chip: Apple M3 Max\n      Memory: 64 GB\n")
                .tool("system_profiler SPDisplaysDataType -json", """
                        {"SPDisplaysDataType": [{"sppci_model": "Apple M3 Max", "sppci_vendor": "sppci_vendor_Apple",
                        "sppci_cores": "40", "spdisplays_metal_family": "spdisplays_metal3"}]}
                        """)
                .tool("sysctl -n hw.memsize", "68719476736\n");

        ProbeReport report = probe(host);

        AcceleratorProfile metal = report.profiles().getFirst();
        assertThat(metal.memory().find()).contains(Bytes.ofGib(64));
        assertThat(metal.reading(DeviceFact.COMPUTE_CAPABILITY).find()).contains("Apple M3 Max, spdisplays_metal3");
        assertThat(metal.reading(DeviceFact.COMPUTE_UNITS).find()).contains(40L);
        assertThat(new CpuProbe()
                        .probe(Contexts.of(host))
                        .profiles()
                        .getFirst()
                        .memory()
                        .find())
                .contains(Bytes.ofGib(64));
    }

    @Test
    void macOsNamesItsProcessor() {
        HostSketch host = new HostSketch()
                .system(OperatingSystem.MACOS)
                .tool("sysctl -n machdep.cpu.brand_string", "Apple M4 Pro\n")
                .tool("sysctl -n hw.physicalcpu", "14\n")
                .tool("sysctl -n hw.logicalcpu", "14\n");

        AcceleratorProfile cpu =
                new CpuProbe().probe(Contexts.of(host)).profiles().getFirst();

        assertThat(cpu.deviceName().find()).contains("Apple M4 Pro");
        assertThat(cpu.reading(DeviceFact.COMPUTE_UNITS).find()).contains(14L);
        assertThat(cpu.reading(DeviceFact.THREADS).find()).contains(14L);
        assertThat(cpu.memory().isKnown()).isFalse();
    }

    @Test
    void memoryThatTheProfilerDoesNotTellIsCounted() {
        ProbeReport report = probe(new HostSketch()
                .tool("system_profiler SPHardwareDataType", "Chip: Apple M5\nMemory: lots\n")
                .tool("system_profiler *", "{}")
                .tool("sysctl -n hw.memsize", "34359738368\n"));

        assertThat(report.profiles().getFirst().memory().find()).contains(Bytes.ofGib(32));
    }

    @Test
    void unknownMemoryStaysUnknown() {
        ProbeReport report = probe(new HostSketch()
                .tool("system_profiler SPHardwareDataType", "Chip: Apple M5\n")
                .tool("system_profiler *", "{}"));

        assertThat(report.profiles())
                .hasSize(2)
                .allMatch(profile -> !profile.memory().isKnown());
    }

    @Test
    void gpusOfOlderMacsHaveTheirOwnMemory() {
        ProbeReport report = probe(new HostSketch()
                .tool("system_profiler SPHardwareDataType", "Processor Name: Intel Core i9\nMemory: 32 GB\n")
                .tool("system_profiler SPDisplaysDataType -json", """
                        {"SPDisplaysDataType":[{"sppci_model":"Intel UHD Graphics 630",
                        "spdisplays_vram_shared":"1536 MB"},
                        {"sppci_model":"Radeon Pro 560X","spdisplays_vram":"4 GB"}]}
                        """));

        assertThat(kinds(report)).containsExactly(AcceleratorKind.METAL_GPU, AcceleratorKind.METAL_GPU);
        assertThat(report.profiles().getFirst().memory()).isEqualTo(SHARED);
        assertThat(report.profiles()
                        .getFirst()
                        .reading(DeviceFact.MEMORY_SHARED)
                        .find())
                .contains(Bytes.ofMib(1536));
        assertThat(report.profiles().getLast().memory().find()).contains(Bytes.ofGib(4));
    }

    @Test
    void anOlderMacWithoutAListOfGpusHasNone() {
        ProbeReport report = probe(new HostSketch()
                .tool("system_profiler SPHardwareDataType", "Processor Name: Intel Core i9\nMemory: 32 GB\n")
                .tool("system_profiler *", "{}"));

        assertThat(report.profiles()).isEmpty();
        assertThat(report.gaps()).isEmpty();
    }

    @Test
    void findsAppleHardwareUnderLinux() {
        HostSketch host =
                new HostSketch().file("/proc/device-tree/compatible", "apple,j313\0apple,t8103\0apple,arm-platform\0");

        ProbeReport report = probe(host);

        assertThat(new AppleProbe().hasSigns(Contexts.of(host))).isTrue();
        assertThat(kinds(report)).containsExactly(AcceleratorKind.METAL_GPU, AcceleratorKind.APPLE_NPU);
        assertThat(report.profiles()).allSatisfy(profile -> {
            assertThat(profile.memory()).isEqualTo(SHARED);
            assertThat(profile.reading(DeviceFact.ARCHITECTURE).find()).contains("t8103");
        });
    }

    @Test
    void otherBoardsAreNotApples() {
        assertThat(probe(new HostSketch().file("/proc/device-tree/compatible", "raspberrypi,4-model-b\0"))
                        .profiles())
                .isEmpty();
        assertThat(new AppleProbe().hasSigns(Contexts.of(new HostSketch()))).isFalse();
    }

    @Test
    void aToolThatFailsIsAGap() {
        ProbeReport report = probe(new HostSketch().tool("system_profiler *", 1, "", "broken\n"));

        assertThat(report.profiles()).isEmpty();
        assertThat(report.gaps()).hasSize(1).allMatch(gap -> gap instanceof Gap.ToolFailed);
    }

    private static List<AcceleratorKind> kinds(ProbeReport report) {
        return report.profiles().stream()
                .map(profile -> profile.accelerator().kind())
                .toList();
    }

    private static ProbeReport probe(HostSketch host) {
        return new AppleProbe().probe(Contexts.of(host));
    }
}
