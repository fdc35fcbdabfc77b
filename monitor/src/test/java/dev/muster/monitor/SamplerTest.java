// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.AcceleratorRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SamplerTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Instant NOW = Instant.parse("2026-11-15T08:30:00Z");
    private static final AcceleratorRegistry ONE = Samples.withLoad(0.5, 0);

    @Test
    void samplesAreNumberedAndKept() throws Exception {
        try (Sampler sampler = start(() -> ONE)) {
            Sampler.Sample first = sampler.awaitNewer(0, LIMIT).orElseThrow();
            Sampler.Sample later = sampler.awaitNewer(first.number(), LIMIT).orElseThrow();

            assertThat(first.at()).isEqualTo(NOW);
            assertThat(later.number()).isGreaterThan(first.number());
            assertThat(sampler.newest())
                    .hasValueSatisfying(sample -> assertThat(sample.registry()).isSameAs(ONE));
            assertThat(sampler.history().devices()).containsExactly(Samples.id(0));
            assertThat(sampler.failure()).isEmpty();
        }
    }

    @Test
    void aLookThatFailsIsToldAndTheOldSampleStays() throws Exception {
        AtomicBoolean broken = new AtomicBoolean();
        CountDownLatch failed = new CountDownLatch(2);
        try (Sampler sampler = start(() -> {
            if (broken.get()) {
                failed.countDown();
                throw new IllegalStateException("the tool is gone");
            }
            return ONE;
        })) {
            sampler.awaitNewer(0, LIMIT);
            broken.set(true);
            assertThat(failed.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();

            assertThat(sampler.newest()).isPresent();
            assertThat(sampler.failure())
                    .hasValueSatisfying(failure -> assertThat(failure.message()).isEqualTo("the tool is gone"));

            long before = sampler.newest().orElseThrow().number();
            BlockingQueue<Long> heard = new LinkedBlockingQueue<>();
            sampler.subscribe(sample -> heard.add(sample.number()));
            broken.set(false);
            assertThat(heard.poll(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .as("numbers of samples have no holes")
                    .isEqualTo(before + 1);
            assertThat(sampler.failure()).isEmpty();
        }
    }

    @Test
    void anErrorDoesNotEndTheLooks() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        try (Sampler sampler = start(() -> {
            if (looks.incrementAndGet() == 1) {
                throw new StackOverflowError();
            }
            return ONE;
        })) {
            assertThat(sampler.awaitNewer(0, LIMIT)).isPresent();
        }
    }

    @Test
    void aListenerThatThrowsIsNotToldAgainAndOthersAre() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        BlockingQueue<Long> heard = new LinkedBlockingQueue<>();
        CountDownLatch ready = new CountDownLatch(1);
        try (Sampler sampler = start(() -> {
            await(ready);
            return ONE;
        })) {
            sampler.subscribe(_ -> {
                calls.incrementAndGet();
                throw new IllegalStateException();
            });
            sampler.subscribe(sample -> heard.add(sample.number()));
            ready.countDown();

            for (long number = 1; number <= 3; number++) {
                assertThat(heard.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(number);
            }
            assertThat(calls).hasValue(1);
            assertThat(sampler.failure()).isEmpty();
        }
    }

    @Test
    void whoUnsubscribedHearsNothingMore() throws Exception {
        BlockingQueue<Long> heard = new LinkedBlockingQueue<>();
        try (Sampler sampler = start(() -> ONE)) {
            Runnable end = sampler.subscribe(sample -> heard.add(sample.number()));
            assertThat(heard.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isNotNull();
            end.run();
            long known = sampler.newest().orElseThrow().number();
            sampler.awaitNewer(sampler.awaitNewer(known, LIMIT).orElseThrow().number(), LIMIT);
            heard.removeIf(number -> number <= known + 1); // one may have been on its way

            assertThat(heard).isEmpty();
        }
    }

    @Test
    void readersDoNotWaitForALook() throws Exception {
        CountDownLatch looking = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger looks = new AtomicInteger();
        try (Sampler sampler = start(() -> {
            if (looks.incrementAndGet() == 2) {
                looking.countDown();
                await(go);
            }
            return ONE;
        })) {
            assertThat(looking.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();

            assertThat(sampler.newest()).isPresent();
            assertThat(sampler.awaitNewer(0, LIMIT)).isPresent();
            assertThat(sampler.awaitNewer(1, Duration.ZERO).orElseThrow().number())
                    .isEqualTo(1);
            assertThat(sampler.history().samples()).isEqualTo(1);
            sampler.subscribe(_ -> {}).run();
            go.countDown();
        }
    }

    @Test
    void closingEndsALookThatIsUnderWayAndWakesWhoWaits() throws Exception {
        CountDownLatch looking = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Sampler sampler = start(() -> {
            looking.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException _) {
                interrupted.countDown();
            }
            return ONE;
        });
        assertThat(looking.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        BlockingQueue<Optional<Sampler.Sample>> woken = new LinkedBlockingQueue<>();
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                woken.add(sampler.awaitNewer(0, Duration.ofDays(1)));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });

        sampler.close();

        assertThat(interrupted.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(woken.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(Optional.empty());
        waiting.join(LIMIT);
        assertThat(sampler.newest())
                .as("an observation after the end is dropped")
                .isEmpty();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("muster-sampler") && thread.isAlive());
        sampler.close();
    }

    @Test
    void aListenerMayCloseIt() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        Sampler sampler = start(() -> ONE);
        sampler.subscribe(_ -> {
            sampler.close();
            closed.countDown();
        });

        assertThat(closed.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void anIntervalOfNothingIsRefused() {
        assertThatThrownBy(() ->
                        Sampler.start(() -> ONE, Duration.ZERO, SampleHistory.ofLength(1), InstantSource.fixed(NOW)))
                .hasMessageContaining("longer than nothing");
    }

    private static Sampler start(Supplier<AcceleratorRegistry> look) {
        return Sampler.start(look, Duration.ofMillis(5), SampleHistory.ofLength(4), InstantSource.fixed(NOW));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
