// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RankFiguresTest {
    @Test
    void theSlowestOfFewCallsIsTheirP99() {
        long[] nanos = {1_000, 1_000, 90_000, 1_000};
        RankFigures figures = RankFigures.of(nanos, nanos.length, 0, 0);
        assertThat(figures.p99()).isEqualTo(90).isGreaterThan(figures.mean());
        assertThat(figures.p50()).isEqualTo(1);
    }

    @Test
    void ofManyCallsOneInAHundredIsSlower() {
        long[] nanos = LongStream.rangeClosed(1, 200).map(i -> 1_000 * i).toArray();
        assertThat(RankFigures.of(nanos, nanos.length, 0, 0).p99()).isEqualTo(198);
        assertThat(RankFigures.of(nanos, 1, 0, 0).p99()).isEqualTo(1);
    }
}
