// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.detect.timed.TimedTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class LeftThreadsTest {
    @Test
    void aThreadThatWasLeftBehindIsSeenUntilItEnds() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        Thread left = Thread.ofPlatform().daemon().name(TimedTask.NAME + "test").start(() -> {
            while (end.getCount() > 0) {
                LockSupport.park();
            }
        });

        assertThat(LeftThreads.isLeft(left)).isTrue();
        assertThat(LeftThreads.any()).isTrue();

        end.countDown();
        LockSupport.unpark(left);
        left.join();
        assertThat(LeftThreads.isLeft(left)).isFalse();
    }

    @Test
    void otherThreadsAreNoneOfOurs() {
        assertThat(LeftThreads.isLeft(Thread.currentThread())).isFalse();
    }
}
