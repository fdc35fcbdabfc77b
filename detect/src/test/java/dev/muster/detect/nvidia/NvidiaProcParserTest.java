// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.detect.Fixtures;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class NvidiaProcParserTest {
    @Test
    void readsTheRecordedFilesOfAnH200() throws IOException {
        String files = Fixtures.own("nvidia/h200-microvm/procnv.txt");

        assertThat(NvidiaProcParser.findDriverVersion(files)).contains("580.159.04");
        assertThat(NvidiaProcParser.value(files, "Model")).isEqualTo("NVIDIA H200");
        assertThat(NvidiaProcParser.value(files, "IRQ")).isEqualTo("41");
        assertThat(NvidiaProcParser.value(files, "GPU UUID")).isEqualTo("GPU-06b9ba2e-b33e-c22a-dc3f-5efe9098ec9c");
        assertThat(NvidiaProcParser.value(files, "Video BIOS")).isEqualTo("96.00.a5.00.1a");
        assertThat(NvidiaProcParser.value(files, "Bus Type")).isEqualTo("PCIe");
        assertThat(NvidiaProcParser.value(files, "Bus Location")).isEqualTo("0000:00:06.0");
        assertThat(NvidiaProcParser.value(files, "Device Minor")).isEqualTo("0");
        assertThat(NvidiaProcParser.value(files, "GPU Excluded")).isEqualTo("No");
    }

    @Test
    void findsTheVersionInOlderSentences() {
        assertThat(NvidiaProcParser.findDriverVersion(
                        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  418.43  Sun Feb 10"
                                + " 01:12:05 CST 2019\nGCC version:  gcc version 7.3.0\n"))
                .contains("418.43");
        assertThat(NvidiaProcParser.findDriverVersion("NVRM version: soon\n")).isEmpty();
        assertThat(NvidiaProcParser.findDriverVersion("")).isEmpty();
    }

    @Test
    void questionMarksAreNoValues() {
        String asleep = """
                Model: \t Unknown
                GPU UUID: \t GPU-????????-????-????-????-????????????
                Video BIOS: \t ??.??.??.??.??
                """;

        assertThat(NvidiaProcParser.value(asleep, "Model")).isEmpty();
        assertThat(NvidiaProcParser.value(asleep, "GPU UUID")).isEmpty();
        assertThat(NvidiaProcParser.value(asleep, "Video BIOS")).isEmpty();
    }
}
