// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.plan.cost.TrainingTime;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class TimeSharesTest {
    @RepeatedTest(50)
    void percentsAddUpToAHundred(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        double[] parts =
                random.doubles(11, 0, 1).map(part -> part * part * part).toArray();
        String text = TimeShares.of(time(parts)).text();
        int sum = Arrays.stream(text.split(", ", -1))
                .mapToInt(part -> Integer.parseInt(part.substring(0, part.indexOf(' '))))
                .sum();
        assertThat(sum).as(text).isEqualTo(100);
    }

    /// Three thirds: one of them gets the rest.
    @Test
    void givesWhatIsLeftToThoseCutMost() {
        assertThat(TimeShares.of(time(new double[] {1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}))
                        .text())
                .isEqualTo("34 % products, 33 % attention, 33 % memory traffic");
    }

    private static TrainingTime time(double[] parts) {
        return new TrainingTime(
                parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], parts[6], parts[7], parts[8], parts[9],
                parts[10]);
    }
}
