// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Gap;
import dev.muster.core.Reading;
import dev.muster.detect.Contexts;
import dev.muster.detect.host.HostSketch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryChannelsTest {
    private static final String FOLDER = "/sys/devices/system/edac/mc/";

    private final List<Gap> gaps = new ArrayList<>();

    private Reading<Long> count(HostSketch host) {
        return new MemoryChannels(Contexts.of(host), gaps::add).count();
    }

    private static void module(HostSketch host, String name, String location) {
        host.file(FOLDER + name + "/dimm_location", location + "\n");
    }

    @Test
    void syntheticModulesOfOneChannelCountOnce() {
        HostSketch host = new HostSketch();
        module(host, "mc0/dimm0", "channel 0 slot 0 ");
        module(host, "mc0/dimm1", "channel 0 slot 1 ");
        module(host, "mc0/dimm2", "channel 1 slot 0 ");
        module(host, "mc1/dimm0", "channel 0 slot 0 ");
        host.folder(FOLDER + "mc0/csrow0").folder(FOLDER + "power");

        assertThat(count(host).find()).contains(3L);
        assertThat(gaps).isEmpty();
    }

    @Test
    void syntheticRanksAreReadLikeModules() {
        HostSketch host = new HostSketch();
        module(host, "mc0/rank0", "csrow 0 channel 0 ");
        module(host, "mc0/rank1", "csrow 1 channel 0 ");
        module(host, "mc0/rank8", "csrow 0 channel 1 ");

        assertThat(count(host).find()).contains(2L);
    }

    @Test
    void aModuleWithoutAChannelLeavesTheNumberUnknown() {
        HostSketch host = new HostSketch();
        module(host, "mc0/dimm0", "channel 0 slot 0");
        module(host, "mc0/dimm1", "memory 1");

        assertThat(count(host).isKnown()).isFalse();
        assertThat(count(new HostSketch()).isKnown()).isFalse();
        assertThat(count(new HostSketch().folder(FOLDER + "mc0")).isKnown()).isFalse();
    }

    @Test
    void branchesTellChannelsApart() {
        assertThat(MemoryChannels.parseChannel("branch 1 channel 0 slot 3")).contains("branch 1 channel 0");
        assertThat(MemoryChannels.parseChannel("csrow 2 channel 1 ")).contains("channel 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "channel", "channel x", "slot 0", "channel -1", "channel 99999"})
    void aPlaceWithoutAChannelIsNone(String text) {
        assertThat(MemoryChannels.parseChannel(text)).isEmpty();
    }
}
