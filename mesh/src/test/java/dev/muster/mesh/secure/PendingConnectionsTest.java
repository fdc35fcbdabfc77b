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

class PendingConnectionsTest {
    private static final InetAddress GREEDY = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress HONEST = InetAddress.ofLiteral("192.0.2.2");
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final List<String> turnedOut = new ArrayList<>();
    private final PendingConnections<String> pending = new PendingConnections<>(8, turnedOut::add);

    @Test
    void oneAddressTakesAQuarterOfThePlacesAtMost() throws Exception {
        assertThat(pending.enter("a", GREEDY)).isTrue();
        assertThat(pending.enter("b", GREEDY)).isTrue();
        assertThat(pending.enter("c", GREEDY)).as("its share is taken").isFalse();
        assertThat(pending.enter("d", HONEST)).as("others have theirs").isTrue();

        assertThat(pending.leave("a")).isTrue();
        assertThat(pending.leave("c")).as("never came in").isFalse();
        assertThat(pending.enter("c", GREEDY)).isTrue();
        assertThat(turnedOut).isEmpty();
    }

    /// Users of a host have the same address: none of them is to blame for the others.
    @Test
    void onLoopbackTheOldestMakesRoomWhenItHadItsTime() throws Exception {
        for (int i = 0; i < 8; i++) {
            assertThat(pending.enter("old " + i, LOOPBACK)).isTrue();
        }
        assertThat(pending.enter("new", LOOPBACK)).isTrue();
        assertThat(turnedOut).containsExactly("old 0");
        assertThat(pending.leave("old 0")).as("its proof comes too late").isFalse();
        assertThat(pending.leave("new")).isTrue();
    }

    @Test
    void theEndWakesWhoWaitsForAPlace() throws Exception {
        for (int i = 0; i < 8; i++) {
            pending.enter("old " + i, LOOPBACK);
        }
        CountDownLatch begun = new CountDownLatch(1);
        FutureTask<Boolean> waits = new FutureTask<>(() -> {
            begun.countDown();
            return pending.enter("late", LOOPBACK);
        });
        Thread.ofVirtual().start(waits);
        assertThat(begun.await(Waiting.seconds(60), TimeUnit.SECONDS)).isTrue();
        assertThat(pending.close()).contains("old 1");
        assertThat(waits.get()).isTrue();
    }
}
