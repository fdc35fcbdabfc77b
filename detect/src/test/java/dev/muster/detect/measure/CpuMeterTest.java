// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.measure.MeasuredQuantity;
import dev.muster.core.measure.Measurement;
import dev.muster.core.measure.Thoroughness;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.Deadline;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Real measurements: what they come to depends on the machine, so that only what holds anywhere is
/// asked.
class CpuMeterTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final CpuMeter meter = new CpuMeter(2, Thoroughness.QUICK);

    @Test
    void memoryIsCopiedAtAPlausibleRate() {
        Measurement copy = meter.copy(Bytes.ofMib(8), Bytes.ofGib(4), Deadline.in(LIMIT));

        assertThat(copy.quantity()).isEqualTo(MeasuredQuantity.MEMORY_COPY);
        assertThat(copy.quantity().isDataRate()).isTrue();
        assertThat(copy.repeats()).isEqualTo(3);
        assertThat(copy.median()).isBetween(1e8, 1e14);
        assertThat(copy.method()).startsWith("copies of 64 MiB on each of 2 threads");
    }

    @Test
    void memoryIsReadAtAPlausibleRate() {
        Measurement read = meter.read(Bytes.ofMib(8), Bytes.ofGib(4), Deadline.in(LIMIT));

        assertThat(read.quantity()).isEqualTo(MeasuredQuantity.MEMORY_READ);
        assertThat(read.median()).isBetween(1e8, 1e14);
        assertThat(read.method()).isEqualTo("reads of 128 MiB on each of 2 threads, from one end to the other");
    }

    @Test
    void floatsAreMultipliedAtAPlausibleRate() {
        Measurement rate = meter.multiplyAdd(Deadline.in(LIMIT));

        assertThat(rate.quantity().isDataRate()).isFalse();
        assertThat(rate.median()).isBetween(1e6, 1e15);
    }

    @Test
    void nothingIsMeasuredWhereMemoryIsShort() {
        assertThatThrownBy(() -> meter.copy(Bytes.ofMib(64), Bytes.ofMib(128), Deadline.in(LIMIT)))
                .isInstanceOf(MeasurementException.class)
                .hasMessage(
                        "a quarter of the free memory (128 MiB) is not larger than the last cache; free some memory");
    }

    @Test
    void theDeadlineHolds() {
        assertThatThrownBy(() -> meter.multiplyAdd(Deadline.in(Duration.ofMillis(1))))
                .isInstanceOf(MeasurementException.class)
                .hasMessage("it exceeded its time limit");
    }

    @Test
    void noThreadIsLeftBehind() {
        meter.multiplyAdd(Deadline.in(LIMIT));

        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("muster-measure-"));
    }

    @Test
    void aThreadThatFailsEndsTheMeasurement() {
        assertThatThrownBy(() -> {
                    try (ThreadTeam team = ThreadTeam.start(3, () -> {
                        throw new IllegalStateException("no");
                    })) {
                        team.time(1, Deadline.in(LIMIT));
                    }
                })
                .isInstanceOf(MeasurementException.class)
                .hasMessage("a thread ended early (java.lang.IllegalStateException: no)");
    }
}
