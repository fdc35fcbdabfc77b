// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Ratio;
import dev.muster.monitor.SampleHistory;
import java.time.Instant;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ShortenedHistoryTest {
    @Test
    void aHistoryThatHasNoRoomForAllOfKeepIsToldOf() {
        AcceleratorRegistry gpus = AcceleratorRegistry.of(LongStream.range(0, 1000)
                .mapToObj(index -> AcceleratorProfile.cuda(index, Bytes.ofGib(80)).toBuilder()
                        .with(DeviceFact.UTILIZATION, Reading.known(new Ratio(0.5), Provenance.GIVEN))
                        .build())
                .toList());
        SampleHistory history = SampleHistory.ofLength(1800, 190_000);
        assertThat(ServeCommand.shortened(history, 1800))
                .as("before the first sample")
                .isEmpty();

        history.add(Instant.EPOCH, gpus);

        assertThat(ServeCommand.shortened(history, 1800).orElseThrow())
                .startsWith("the history keeps " + history.length() + " samples instead of 1800, ")
                .endsWith("a longer --interval covers more time");
    }
}
