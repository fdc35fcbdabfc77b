// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.monitor.AlertRule;
import dev.muster.monitor.SampleHistory;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A day, a sample each second.
class TopDayTest {
    private static final int DAY = 86_400;
    private static final int LENGTH = 600;
    private static final int DRAWN_EVERY = 600;

    @Test
    void nothingGrowsInADay() throws IOException {
        AcceleratorRegistry machine = LoadRecording.machine();
        List<AcceleratorRegistry> samples = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            samples.add(LoadRecording.sample(machine, i));
        }
        SampleHistory history = SampleHistory.ofLength(LENGTH);
        TopState state = TopState.initial(false);
        for (int second = 0; second < DAY; second++) {
            AcceleratorRegistry now = samples.get(second % samples.size());
            history.add(Instant.ofEpochSecond(second), now);
            if (second % DRAWN_EVERY == 0) {
                TopScreen screen = new TopScreen(
                        TopData.of(now, history, AlertRule.defaults(), null),
                        state,
                        new TopScreen.Status("", "every 1s", "", false, false),
                        120,
                        40,
                        new Glyphs(false));
                assertThat(screen.draw().lines(true)).hasSize(40);
                state = state.press(new Key.Letter('s'), screen.surroundings())
                        .press(Key.Named.DOWN, screen.surroundings());
                assertThat(state.offset(Pane.PROCESSES)).isLessThan(14);
            }
        }

        assertThat(history.samples()).isEqualTo(LENGTH);
        assertThat(history.devices()).hasSameSizeAs(machine.profiles());
        assertThat(history.devices())
                .allSatisfy(device -> assertThat(history.series(device, DeviceFact.UTILIZATION, Integer.MAX_VALUE))
                        .hasSizeLessThanOrEqualTo(LENGTH));
    }
}
