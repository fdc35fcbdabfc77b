// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.detect.nvidia.NvmlNvlink.ActiveLink;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NvmlTopologyTest {
    @Test
    void gpusBehindASwitchReachEachOtherWithAllTheirLinks() {
        List<ActiveLink> toSwitch = IntStream.range(0, 18)
                .mapToObj(_ -> new ActiveLink(26.562, true, Optional.empty()))
                .toList();

        NvidiaTopology topology = NvmlNvlink.topology(gpus(2), Map.of(0, toSwitch, 1, toSwitch));

        assertThat(topology.lanes(0, 1)).isEqualTo(18);
        assertThat(topology.lanes(1, 0)).isEqualTo(18);
        assertThat(topology.lanes(0, 0)).isZero();
    }

    @Test
    void linksThatLeadToAGpuAreCountedForThatPairAlone() {
        ActiveLink toSecond = new ActiveLink(25, false, Optional.of(address(1)));
        ActiveLink toFirst = new ActiveLink(25, false, Optional.of(address(0)));
        ActiveLink elsewhere = new ActiveLink(25, false, Optional.empty());

        NvidiaTopology topology = NvmlNvlink.topology(
                gpus(3), Map.of(0, List.of(toSecond, toSecond, elsewhere), 1, List.of(toFirst, toFirst), 2, List.of()));

        assertThat(topology.lanes(0, 1)).isEqualTo(2);
        assertThat(topology.lanes(1, 0)).isEqualTo(2);
        assertThat(topology.lanes(0, 2)).isZero();
    }

    @Test
    void withoutLinksNothingIsTold() {
        assertThat(NvmlNvlink.topology(gpus(2), Map.of(0, List.of(), 1, List.of())))
                .isSameAs(NvidiaTopology.UNKNOWN);
    }

    private static List<AcceleratorProfile> gpus(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, i))
                        .with(DeviceFact.PCI_ADDRESS, Reading.known(address(i), Provenance.GIVEN))
                        .build())
                .toList();
    }

    private static PciAddress address(int gpu) {
        return new PciAddress(0, 0x10 + gpu, 0, 0);
    }
}
