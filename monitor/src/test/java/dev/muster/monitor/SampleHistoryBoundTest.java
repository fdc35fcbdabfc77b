// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Watts;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SampleHistoryBoundTest {
    @Test
    void manyDevicesHaveAShorterHistory() {
        SampleHistory history = SampleHistory.ofLength(1000, 40);
        AcceleratorProfile first = device(0);
        AcceleratorProfile second = device(1);
        for (int i = 0; i < 100; i++) {
            history.add(Instant.ofEpochSecond(i), AcceleratorRegistry.of(List.of(first, second)));
        }
        assertThat(history.series(first.id(), DeviceFact.POWER, 1000)).hasSize(20);
        assertThat(history.series(first.id(), DeviceFact.POWER, 1000).getLast().at())
                .isEqualTo(Instant.ofEpochSecond(99));

        AcceleratorProfile late = device(2);
        history.add(Instant.ofEpochSecond(100), AcceleratorRegistry.of(List.of(first, second, late)));
        assertThat(history.series(late.id(), DeviceFact.POWER, 1000)).isEmpty();
        assertThat(history.series(second.id(), DeviceFact.POWER, 1000)).hasSize(20);
    }

    private static AcceleratorProfile device(int number) {
        return AcceleratorProfile.cuda(number, Bytes.ofGib(1)).toBuilder()
                .with(DeviceFact.POWER, Reading.known(new Watts(number), Provenance.GIVEN))
                .build();
    }
}
