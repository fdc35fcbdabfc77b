// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Gap;
import dev.muster.detect.host.HostSketch;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnknownAcceleratorsTest {
    private static List<Gap> gaps(HostSketch host) {
        return DetectBuilder.all()
                .build(host.host(), System.getLogger("test"))
                .detect()
                .gaps();
    }

    @Test
    void anAcceleratorThatNoProbeKnowsIsAGap() {
        HostSketch host = new HostSketch()
                .pci("0000:00:04.0", "1B36:0005", "120000", "")
                .pci("0000:00:01.0", "1AF4:1050", "30000", "virtio-pci");

        assertThat(gaps(host))
                .contains(new Gap.Unparsable(
                        "pci", "no probe knows the processing accelerator 1b36:0005 at 0000:00:04.0"));
    }

    @Test
    void knownAcceleratorsAreNone() {
        HostSketch host = new HostSketch().pci("0000:01:00.0", "1002:74A1", "120000", "amdgpu");

        assertThat(gaps(host)).noneMatch(gap -> gap.toString().contains("processing accelerator"));
    }
}
