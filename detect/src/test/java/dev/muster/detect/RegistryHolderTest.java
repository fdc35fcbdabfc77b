// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.detect.host.HostSketch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RegistryHolderTest {
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Detector DETECTOR =
            DetectBuilder.none().build(new HostSketch().host(), System.getLogger("test"));

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final AtomicInteger detections = new AtomicInteger();

    @Test
    void sixteenThreadsShareOneDetection() throws InterruptedException {
        for (int round = 0; round < 20; round++) {
            detections.set(0);
            RegistryHolder cache = cache(TTL, this::detect);

            List<AcceleratorRegistry> found = Crowd.of(16, cache::get);

            assertThat(detections).hasValue(1);
            assertThat(found)
                    .hasSize(16)
                    .allSatisfy(registry -> assertThat(registry).isSameAs(found.getFirst()));
        }
    }

    @Test
    void remembersForTheTimeToLiveOfAClockThatWrapsAround() {
        RegistryHolder cache = cache(TTL, this::detect);
        assertThat(cache.isFresh()).isFalse();

        AcceleratorRegistry first = cache.get();
        now.addAndGet(TTL.toNanos() - 1);
        assertThat(cache.isFresh()).isTrue();
        assertThat(cache.get()).isSameAs(first);
        now.incrementAndGet();
        assertThat(cache.isFresh()).isFalse();
        assertThat(cache.get()).isNotSameAs(first);
        assertThat(detections).hasValue(2);
        assertThat(cache.ttl()).isEqualTo(TTL);
    }

    @Test
    void countsTheTimeOfTheDetectionItself() {
        RegistryHolder cache = cache(TTL, () -> {
            now.addAndGet(TTL.toNanos());
            return detect();
        });

        cache.get();

        assertThat(cache.isFresh()).isFalse();
    }

    @Test
    void detectsEachTimeWithoutATimeToLive() {
        RegistryHolder cache = cache(Duration.ZERO, this::detect);

        cache.get();
        cache.get();

        assertThat(detections).hasValue(2);
        assertThat(cache.isFresh()).isFalse();
    }

    @Test
    void takesTheLongestTimeToLiveButNoNegativeOne() {
        RegistryHolder cache = cache(Duration.ofSeconds(Long.MAX_VALUE), this::detect);
        cache.get();
        assertThat(cache.isFresh()).isTrue();

        assertThatThrownBy(() -> cache(Duration.ofNanos(-1), this::detect))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void forgetsWhatIsInvalidated() {
        RegistryHolder cache = cache(TTL, this::detect);
        cache.get();

        cache.invalidate();

        assertThat(cache.isFresh()).isFalse();
        cache.get();
        assertThat(detections).hasValue(2);
    }

    @Test
    void doesNotRememberADetectionFromBeforeAnInvalidation() {
        RegistryHolder[] self = new RegistryHolder[1];
        self[0] = cache(TTL, () -> {
            self[0].invalidate();
            return detect();
        });

        self[0].get();

        assertThat(self[0].isFresh()).isFalse();
    }

    @Test
    void doesNotRememberAFailure() {
        RegistryHolder cache = cache(TTL, () -> {
            if (detections.get() == 0) {
                detections.incrementAndGet();
                throw new IllegalStateException("broken");
            }
            return detect();
        });

        assertThatThrownBy(cache::get).hasMessage("broken");
        assertThat(cache.isFresh()).isFalse();
        assertThat(cache.get().profiles()).isEmpty();
    }

    @Test
    void doesNotRememberAnInterruptedDetection() {
        RegistryHolder cache = cache(TTL, () -> {
            Thread.currentThread().interrupt();
            return detect();
        });

        cache.get();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(cache.isFresh()).isFalse();
    }

    @Test
    void waitsForAnotherNoLongerThanADetectionMayTake() throws InterruptedException {
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        RegistryHolder cache = new RegistryHolder(
                DETECTOR,
                () -> {
                    if (detections.incrementAndGet() == 1) {
                        begun.countDown();
                        awaitQuietly(stuck);
                    }
                    return AcceleratorRegistry.of(List.of());
                },
                TTL,
                null,
                Duration.ofMillis(50),
                now::get);
        Thread first = Thread.ofPlatform().start(cache::get);
        begun.await();

        assertThat(cache.get().profiles()).isEmpty();

        assertThat(first.isAlive()).isTrue();
        stuck.countDown();
        first.join();
        assertThat(detections).hasValue(2);
    }

    private RegistryHolder cache(Duration ttl, Supplier<AcceleratorRegistry> detection) {
        return new RegistryHolder(DETECTOR, detection, ttl, null, PATIENCE, now::get);
    }

    private AcceleratorRegistry detect() {
        detections.incrementAndGet();
        return AcceleratorRegistry.of(List.of());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
