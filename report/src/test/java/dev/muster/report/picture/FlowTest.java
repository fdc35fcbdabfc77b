// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.report.picture.Flow.Spot;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class FlowTest {
    private static final Random RANDOM = new Random(23);

    @Test
    void aRowThatIsFullIsFollowedByAnother() {
        Spot box = new Spot(0, 0, 40, 10);
        Flow flow = Flow.of(List.of(box, box, box), 90, 10);
        assertThat(flow.spots())
                .containsExactly(new Spot(0, 0, 40, 10), new Spot(50, 0, 40, 10), new Spot(0, 20, 40, 10));
        assertThat(flow.width()).isEqualTo(90);
        assertThat(flow.height()).isEqualTo(30);
    }

    @RepeatedTest(100)
    void boxesDoNotTouchAndStayInTheFrame() {
        List<Spot> sizes = new ArrayList<>();
        for (int i = RANDOM.nextInt(1, 20); i > 0; i--) {
            sizes.add(new Spot(0, 0, RANDOM.nextInt(1, 100), RANDOM.nextInt(1, 50)));
        }
        Flow flow = Flow.of(sizes, 120, 5);
        assertThat(flow.width()).isLessThanOrEqualTo(120);
        for (int i = 0; i < sizes.size(); i++) {
            Spot one = flow.spots().get(i);
            assertThat(one.x() + one.width()).isLessThanOrEqualTo(flow.width());
            assertThat(one.y() + one.height()).isLessThanOrEqualTo(flow.height());
            for (Spot other : flow.spots().subList(0, i)) {
                boolean apart = other.x() + other.width() + 5 <= one.x() || other.y() + other.height() + 5 <= one.y();
                assertThat(apart).isTrue();
            }
        }
    }
}
