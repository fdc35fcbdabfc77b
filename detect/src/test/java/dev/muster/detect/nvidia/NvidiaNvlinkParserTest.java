// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.unit.Bandwidth;
import java.util.List;
import org.junit.jupiter.api.Test;

class NvidiaNvlinkParserTest {
    @Test
    void sumsLinksThatAreUpAndOnlyThose() {
        List<NvidiaNvlinks> gpus = NvidiaNvlinkParser.parse("""
                GPU 0: Acme (UUID: GPU-1)
                \t Link 0: 26.562 GB/s
                \t Link 1: <inactive>
                \t Link 2: 25 GB/s
                GPU 1: Acme (UUID: GPU-2)
                \t Link 0: <inactive>
                """);

        assertThat(gpus)
                .containsExactly(
                        new NvidiaNvlinks(0, List.of(new Bandwidth(26.562), new Bandwidth(25)), 1, ""),
                        new NvidiaNvlinks(1, List.of(), 1, ""));
        assertThat(gpus.getFirst().findTotal()).contains(new Bandwidth(51.562));
        assertThat(gpus.getLast().findTotal()).isEmpty();
    }

    @Test
    void keepsWhatTheToolSaysInsteadOfLinks() {
        assertThat(NvidiaNvlinkParser.parse("GPU 0: H (UUID: GPU-1)\nDevice does not have or support Nvlink\n"))
                .containsExactly(new NvidiaNvlinks(0, List.of(), 0, "Device does not have or support Nvlink"));
    }

    @Test
    void readsNothingFromNothing() {
        assertThat(NvidiaNvlinkParser.parse("")).isEmpty();
        assertThat(NvidiaNvlinkParser.parse("Link 0: 25 GB/s\nGPU x: y\n Link 0: nan GB/s"))
                .isEmpty();
        assertThat(NvidiaNvlinkParser.parse("GPU 0: y\n Link 0: nan GB/s\n Link 1: -5 GB/s\n Link 2: 1e9 GB/s"))
                .containsExactly(new NvidiaNvlinks(0, List.of(), 0, ""));
    }

    @Test
    void believesNoEndlessListOfLinks() {
        String text = "GPU 0: y\n" + " Link 0: 25 GB/s\n".repeat(1000);

        assertThat(NvidiaNvlinkParser.parse(text).getFirst().active()).hasSize(NvidiaNvlinkParser.MAX_LINKS);
    }
}
