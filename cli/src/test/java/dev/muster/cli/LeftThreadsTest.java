package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.detect.timed.Errand;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class LeftThreadsTest {
    @Test
    void aThreadThatWasLeftBehindIsSeenUntilItEnds() throws InterruptedException {
        waitForOthers();
        CountDownLatch end = new CountDownLatch(1);
        Thread left = Thread.ofPlatform().daemon().name(Errand.NAME + "test").start(() -> {
            while (end.getCount() > 0) {
                LockSupport.park();
            }
        });

        assertThat(LeftThreads.any()).isTrue();

        end.countDown();
        LockSupport.unpark(left);
        left.join();
        assertThat(LeftThreads.any()).isFalse();
    }

    /// Other tests of this process may have left some, which end soon.
    private static void waitForOthers() throws InterruptedException {
        Thread[] threads = new Thread[256];
        int count = Thread.enumerate(threads);
        for (int i = 0; i < count; i++) {
            if (threads[i].getName().startsWith(Errand.NAME)) {
                threads[i].join();
            }
        }
    }
}
