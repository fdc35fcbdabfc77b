// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Closes an answer's body when its time is up, which ends a reader that waits for more of it: a connection whose
/// other end is gone without a word would never end by itself.
final class BodyTimeout implements AutoCloseable {
    private final CountDownLatch done = new CountDownLatch(1);

    private BodyTimeout() {}

    static BodyTimeout over(InputStream body, Duration limit) {
        BodyTimeout guard = new BodyTimeout();
        Thread.ofVirtual().name("guard of an answer").start(() -> {
            try {
                if (!guard.done.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                    body.close();
                }
            } catch (InterruptedException | IOException _) {
                // It is not interrupted, and a body that cannot be closed is closed already.
            }
        });
        return guard;
    }

    @Override
    public void close() {
        done.countDown();
    }
}
