// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Contexts;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.host.OperatingSystem;
import dev.muster.detect.probe.ProbeReport;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowsCpuProbeTest {
    private static final String SYNTHETIC = "\ufeff{\"free\":20971520,\"memory\":34271502336,"
            + "\"processors\":[{\"Name\":\"Some Processor 16-Core       \"},{\"Name\":\"Another\"}]}\r\n";

    private static ProbeReport probe(HostSketch host) {
        return new CpuProbe().probe(Contexts.of(host.system(OperatingSystem.WINDOWS)));
    }

    @Test
    void syntheticAnswerOfPowerShell() {
        ProbeReport report = probe(new HostSketch().tool("powershell.exe -NoProfile *", SYNTHETIC));

        AcceleratorProfile cpu = report.profiles().getFirst();
        assertThat(report.gaps()).isEmpty();
        assertThat(cpu.memory().find()).contains(Bytes.of(34_271_502_336L));
        assertThat(cpu.reading(DeviceFact.MEMORY_FREE).find()).contains(Bytes.ofGib(20));
        assertThat(cpu.reading(DeviceFact.DEVICE_NAME).find()).contains("Some Processor 16-Core");
    }

    @Test
    void aListOfOneMayBeThatOne() {
        assertThat(WindowsCpu.parse("{\"processors\":{\"Name\":\"X\"}}")
                        .orElseThrow()
                        .name())
                .contains("X");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "{\"memory\":0,\"free\":-1,\"processors\":[]}", "{\"memory\":null,\"processors\":[1]}"})
    void whatIsNotToldIsUnknown(String text) {
        AcceleratorProfile cpu =
                probe(new HostSketch().tool("powershell *", text)).profiles().getFirst();

        assertThat(cpu.memory().isKnown()).isFalse();
        assertThat(cpu.reading(DeviceFact.MEMORY_FREE).isKnown()).isFalse();
        assertThat(cpu.reading(DeviceFact.DEVICE_NAME).isKnown()).isFalse();
    }

    @Test
    void thereIsAProcessorWhateverPowerShellSays() {
        assertThat(probe(new HostSketch()).profiles()).hasSize(1);
        assertThat(probe(new HostSketch()).gaps()).isEmpty();
        assertThat(probe(new HostSketch().tool("powershell *", "no JSON")).gaps())
                .containsExactly(new Gap.Unparsable("cpu", "powershell printed no JSON about the processor"));
        assertThat(probe(new HostSketch().tool("powershell *", 0, "", "", Duration.ofMinutes(1)))
                        .gaps())
                .hasOnlyElementsOfType(Gap.Timeout.class);
    }
}
