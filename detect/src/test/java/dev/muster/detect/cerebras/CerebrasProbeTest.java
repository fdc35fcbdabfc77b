// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.cerebras;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Contexts;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeReport;
import org.junit.jupiter.api.Test;

class CerebrasProbeTest {
    @Test
    void believesTheToolAboutMemory() {
        ProbeReport report = probe(new HostSketch().tool("cerebras_cli system-info", "System: CS-3\nSRAM: 40GB\n"));

        assertThat(report.profiles()).hasSize(1);
        assertThat(report.profiles().getFirst().memory().find()).contains(Bytes.ofGib(40));
        assertThat(report.profiles()
                        .getFirst()
                        .reading(DeviceFact.COMPUTE_CAPABILITY)
                        .find())
                .contains("WSE");
    }

    @Test
    void readsTheFirstLineThatSpeaksOfMemory() {
        assertThat(CerebrasProbe.findMemory("Memory: 44GB\n")).contains(Bytes.ofGib(44));
        assertThat(CerebrasProbe.findMemory("SRAM 40gb total\n")).contains(Bytes.ofGib(40));
        assertThat(CerebrasProbe.findMemory("Memory total 18GB, 22GB")).contains(Bytes.ofGib(22));
        assertThat(CerebrasProbe.findMemory("Memory: 44.5GB")).isEmpty();
        assertThat(CerebrasProbe.findMemory("Cores: 850000")).isEmpty();
    }

    @Test
    void d37_keepsMemoryUnknownThatNobodyTells() {
        ProbeReport report = probe(new HostSketch().file("/dev/cerebras0", ""));

        assertThat(report.profiles().getFirst().memory().isKnown()).isFalse();
    }

    @Test
    void aToolThatFailsIsNoSystem() {
        ProbeReport report = probe(new HostSketch().tool("cerebras_cli system-info", 1, "", "no system"));

        assertThat(report.profiles()).isEmpty();
        assertThat(report.gaps()).singleElement().isInstanceOf(Gap.ToolFailed.class);
    }

    private static ProbeReport probe(HostSketch host) {
        return new CerebrasProbe().probe(Contexts.of(host));
    }
}
