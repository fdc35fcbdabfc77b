// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.secure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testing.Waiting;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StrangersTest {
    private static final InetAddress GREEDY = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress HONEST = InetAddress.ofLiteral("192.0.2.2");
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final List<String> turnedOut = new ArrayList<>();
    private final Strangers<String> strangers = new Strangers<>(8, turnedOut::add);

    @Test
    void oneAddressTakesAQuarterOfThePlacesAtMost() throws Exception {
        assertThat(strangers.enter("a", GREEDY)).isTrue();
        assertThat(strangers.enter("b", GREEDY)).isTrue();
        assertThat(strangers.enter("c", GREEDY)).as("its share is taken").isFalse();
        assertThat(strangers.enter("d", HONEST)).as("others have theirs").isTrue();

        assertThat(strangers.leave("a")).isTrue();
        assertThat(strangers.leave("c")).as("never came in").isFalse();
        assertThat(strangers.enter("c", GREEDY)).isTrue();
        assertThat(turnedOut).isEmpty();
    }

    /// Users of a host have the same address: none of them is to blame for the others.
    @Test
    void onLoopbackTheOldestMakesRoomWhenItHadItsTime() throws Exception {
        for (int i = 0; i < 8; i++) {
            assertThat(strangers.enter("old " + i, LOOPBACK)).isTrue();
        }
        assertThat(strangers.enter("new", LOOPBACK)).isTrue();
        assertThat(turnedOut).containsExactly("old 0");
        assertThat(strangers.leave("old 0")).as("its proof comes too late").isFalse();
        assertThat(strangers.leave("new")).isTrue();
    }

    @Test
    void theEndWakesWhoWaitsForAPlace() throws Exception {
        for (int i = 0; i < 8; i++) {
            strangers.enter("old " + i, LOOPBACK);
        }
        CountDownLatch begun = new CountDownLatch(1);
        FutureTask<Boolean> waits = new FutureTask<>(() -> {
            begun.countDown();
            return strangers.enter("late", LOOPBACK);
        });
        Thread.ofVirtual().start(waits);
        assertThat(begun.await(Waiting.seconds(60), TimeUnit.SECONDS)).isTrue();
        assertThat(strangers.close()).contains("old 1");
        assertThat(waits.get()).isTrue();
    }
}
