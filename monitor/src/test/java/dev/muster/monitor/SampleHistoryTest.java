// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.DeviceFact;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class SampleHistoryTest {
    private final SampleHistory history = SampleHistory.ofLength(3);

    @Test
    void keepsTheNewestSamplesInTheirOrderWhenTheRingWraps() {
        for (int i = 1; i <= 5; i++) {
            history.add(at(i), Samples.withLoad(i / 10.0, 0));
        }

        assertThat(loads(3)).containsExactly(0.3, 0.4, 0.5);
        assertThat(loads(2)).containsExactly(0.4, 0.5);
        assertThat(loads(100)).containsExactly(0.3, 0.4, 0.5);
        assertThat(loads(0)).isEmpty();
        assertThat(history.series(Samples.id(0), DeviceFact.UTILIZATION, 1))
                .containsExactly(new SampleHistory.HistoryPoint(at(5), OptionalDouble.of(0.5)));
        assertThat(history.samples()).isEqualTo(3);
    }

    @Test
    void aDeviceThatVanishedLeavesHolesAndIsForgottenAfterAWholeRing() {
        history.add(at(1), Samples.withLoad(0.1, 0, 1));
        history.add(at(2), Samples.withLoad(0.2, 0));
        history.add(at(3), Samples.withLoad(0.3, 0));

        assertThat(history.series(Samples.id(1), DeviceFact.UTILIZATION, 3))
                .extracting(SampleHistory.HistoryPoint::value)
                .containsExactly(OptionalDouble.of(0.1), OptionalDouble.empty(), OptionalDouble.empty());
        assertThat(history.devices()).contains(Samples.id(1));

        history.add(at(4), Samples.withLoad(0.4, 0));

        assertThat(history.devices()).containsExactly(Samples.id(0));
        assertThat(history.series(Samples.id(1), DeviceFact.UTILIZATION, 3)).isEmpty();
    }

    @Test
    void aDeviceThatComesBackHasNoneOfItsOldNumbersInPlaceOfHoles() {
        history.add(at(1), Samples.withLoad(0.9, 0));
        history.add(at(2), Samples.withLoad(0.1, 1));
        history.add(at(3), Samples.withLoad(0.1, 1));
        history.add(at(4), Samples.withLoad(0.1, 1));
        history.add(at(5), Samples.withLoad(0.5, 0));

        assertThat(history.series(Samples.id(0), DeviceFact.UTILIZATION, 3))
                .extracting(SampleHistory.HistoryPoint::value)
                .containsExactly(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.of(0.5));
    }

    @Test
    void aRateIsWhatACounterGrewByEachSecond() {
        history.add(at(0), Samples.withSent(1_000));
        assertThat(history.rate(Samples.id(0), DeviceFact.FABRIC_SENT)).isEmpty();

        history.add(at(4), Samples.withSent(9_000));

        assertThat(history.rate(Samples.id(0), DeviceFact.FABRIC_SENT)).hasValue(2_000);
    }

    @Test
    void aCounterThatFellOrATimeThatStoodStillHasNoRate() {
        history.add(at(1), Samples.withSent(9_000));
        history.add(at(2), Samples.withSent(10));
        assertThat(history.rate(Samples.id(0), DeviceFact.FABRIC_SENT)).isEmpty();

        history.add(at(2), Samples.withSent(20));

        assertThat(history.rate(Samples.id(0), DeviceFact.FABRIC_SENT)).isEmpty();
    }

    @Test
    void aCopyStaysAsItIs() {
        history.add(at(1), Samples.withLoad(0.1, 0));
        SampleHistory copy = history.copy();
        history.add(at(2), Samples.withLoad(0.2, 0, 1));

        assertThat(copy.samples()).isEqualTo(1);
        assertThat(copy.devices()).containsExactly(Samples.id(0));
        assertThat(copy.series(Samples.id(0), DeviceFact.UTILIZATION, 3)).hasSize(1);
    }

    @Test
    void aHistoryOfNothingIsRefused() {
        assertThatThrownBy(() -> SampleHistory.ofLength(0)).hasMessageContaining("one sample at least");
    }

    private List<Double> loads(int most) {
        return history.series(Samples.id(0), DeviceFact.UTILIZATION, most).stream()
                .map(point -> point.value().orElse(-1))
                .toList();
    }

    private static Instant at(long seconds) {
        return Instant.ofEpochSecond(seconds);
    }
}
