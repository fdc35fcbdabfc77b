// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.cli.option.CommandException;
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

    @Test
    void aHistoryThatWasAskedForIsRefusedWithItsMemory() {
        SampleHistory history = SampleHistory.ofLength(1800, 190_000);
        history.add(
                Instant.EPOCH,
                AcceleratorRegistry.of(LongStream.range(0, 1000)
                        .mapToObj(index -> AcceleratorProfile.cuda(index, Bytes.ofGib(80)).toBuilder()
                                .with(DeviceFact.UTILIZATION, Reading.known(new Ratio(0.5), Provenance.GIVEN))
                                .build())
                        .toList()));

        assertThatThrownBy(() -> ServeCommand.refuseShort("1h", history, 1800))
                .isInstanceOf(CommandException.class)
                .hasMessageStartingWith("--keep 1h needs 13.7 MiB for these devices, and there is room for 1.4 MiB; ");
        assertThatCode(() -> ServeCommand.refuseShort("3m", history, history.length()))
                .doesNotThrowAnyException();
    }
}
