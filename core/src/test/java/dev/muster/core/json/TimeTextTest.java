// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Trials;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1970-01-01T00:00:00Z",
                "2026-11-15T08:30:00Z",
                "2026-11-15T23:59:59.999999999Z",
                "2026-01-02T03:04:05.000000001Z",
                "1969-12-31T23:59:59.125Z",
                "2000-02-29T12:00:00Z",
                "0000-01-01T00:00:00Z",
                "-0001-12-31T00:00:00Z",
                "+10000-01-01T00:00:00Z"
            })
    void writesTimesAsTheyAreRead(String text) {
        assertThat(TimeText.of(Instant.parse(text))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-15T08:30:00.100Z, 2026-11-15T08:30:00.1Z",
        "2026-11-15T08:30:00.000250Z, 2026-11-15T08:30:00.00025Z"
    })
    void leavesZerosAtTheEndOut(Instant time, String text) {
        assertThat(TimeText.of(time)).isEqualTo(text);
    }

    @Test
    void anyTimeReadsBackTheSame() {
        Trials.run(10_000, random -> {
            Instant time = Instant.ofEpochSecond(
                    random.nextLong() >> (12 + random.nextInt(40)), random.nextInt(1_000_000_000));
            assertThat(Instant.parse(TimeText.of(time))).isEqualTo(time);
        });
    }

    @Test
    void evenTheFirstAndTheLastTimeReadBackTheSame() {
        assertThat(Instant.parse(TimeText.of(Instant.MIN))).isEqualTo(Instant.MIN);
        assertThat(Instant.parse(TimeText.of(Instant.MAX))).isEqualTo(Instant.MAX);
    }
}
