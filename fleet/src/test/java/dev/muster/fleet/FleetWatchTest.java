// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Gap;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class FleetWatchTest {
    private static final Duration INTERVAL = Duration.ofMillis(1);
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /// A source that is followed by itself: the test tells its listener.
    private static final class Told implements FleetSource {
        private final String name;
        private final BlockingQueue<FleetListener> listener = new LinkedBlockingQueue<>();
        private final CountDownLatch closed = new CountDownLatch(1);

        Told(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public SourceReport read(Duration limit) {
            throw new AssertionError("it tells by itself");
        }

        @Override
        public Following follow(FleetListener told, Duration interval, Duration limit) {
            listener.add(told);
            return closed::countDown;
        }

        FleetListener listener() {
            return listener.element();
        }
    }

    /// A source that has to be asked: each reading takes the next answer.
    private static final class ServerRequest implements FleetSource {
        private final SynchronousQueue<Supplier<SourceReport>> answers = new SynchronousQueue<>();

        @Override
        public String name() {
            return "asked";
        }

        @Override
        public SourceReport read(Duration limit) {
            try {
                return answers.take().get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new FleetException("stopped", e);
            }
        }

        /// Returns when the reading has begun, which is after the one before was told.
        void answer(Supplier<SourceReport> answer) throws InterruptedException {
            assertThat(answers.offer(answer, LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .as("it is asked again")
                    .isTrue();
        }
    }

    private static SourceReport report(String source, Instant time, String... hosts) {
        return new SourceReport(
                source,
                time,
                List.of(hosts).stream()
                        .map(host -> HostReport.ofDevices(host, AcceleratorRegistry.of(List.of())))
                        .toList(),
                List.of());
    }

    private static List<String> names(Fleet fleet) {
        return fleet.hosts().stream().map(FleetHost::name).toList();
    }

    @Test
    void beforeAnythingWasToldItSaysSo() {
        try (FleetWatch watch = FleetWatch.start(List.of(new Told("a")), INTERVAL, LIMIT)) {
            Fleet fleet = watch.newest();
            assertThat(fleet.hosts()).isEmpty();
            assertThat(fleet.sources().getFirst().failure()).isEqualTo("it has not answered yet");
            assertThat(fleet.sources().getFirst().observedAt().isKnown()).isFalse();
        }
    }

    @Test
    void sourcesAreOneFleetAndNothingIsMergedTwice() {
        Told a = new Told("a");
        Told b = new Told("b");
        try (FleetWatch watch = FleetWatch.start(List.of(a, b), INTERVAL, LIMIT)) {
            b.listener().changed(report("b", Instant.EPOCH, "n2", "n10"));
            a.listener().changed(report("a", Instant.EPOCH, "n2", "n1"));
            Fleet fleet = watch.newest();
            assertThat(names(fleet)).containsExactly("n1", "n2", "n10");
            assertThat(fleet.sources()).extracting(Fleet.SourceState::source).containsExactly("a", "b");
            assertThat(watch.newest()).isSameAs(fleet);
            a.listener().changed(report("a", Instant.EPOCH));
            assertThat(names(watch.newest())).containsExactly("n2", "n10");
        }
        assertThat(a.closed.getCount()).isZero();
        assertThat(b.closed.getCount()).isZero();
    }

    @Test
    void aSourceThatFailsKeepsWhatItSaidWithItsTime() {
        Told a = new Told("a");
        try (FleetWatch watch = FleetWatch.start(List.of(a), INTERVAL, LIMIT)) {
            a.listener().changed(report("a", Instant.EPOCH, "n1"));
            a.listener().failed(new FleetException("a: it is gone"));
            Fleet failed = watch.newest();
            assertThat(names(failed)).containsExactly("n1");
            assertThat(failed.sources().getFirst().failure()).isEqualTo("a: it is gone");
            assertThat(failed.sources().getFirst().observedAt().find()).contains(Instant.EPOCH);
            Instant later = Instant.EPOCH.plusSeconds(60);
            a.listener().changed(report("a", later, "n1"));
            Fleet back = watch.newest();
            assertThat(back.sources().getFirst().failure()).isEmpty();
            assertThat(back.sources().getFirst().observedAt().find()).contains(later);
        }
    }

    @Test
    void gapsOfASourceAreKept() {
        Told a = new Told("a");
        try (FleetWatch watch = FleetWatch.start(List.of(a), INTERVAL, LIMIT)) {
            Gap gap = new Gap.ProbeFailed("a", "no pods");
            a.listener().changed(new SourceReport("a", Instant.EPOCH, List.of(), List.of(gap)));
            assertThat(watch.newest().sources().getFirst().gaps()).containsExactly(gap);
        }
    }

    @Test
    void aSourceThatHasToBeAskedIsAskedAgainWhateverHappens() throws InterruptedException {
        ServerRequest source = new ServerRequest();
        try (FleetWatch watch = FleetWatch.start(List.of(source), INTERVAL, LIMIT)) {
            source.answer(() -> report("asked", Instant.EPOCH, "n1"));
            source.answer(() -> {
                throw new FleetException("asked: it is gone");
            });
            // By now the first answer was told, and perhaps the second.
            assertThat(names(watch.newest())).containsExactly("n1");
            source.answer(() -> {
                throw new IllegalStateException("a defect");
            });
            Instant later = Instant.EPOCH.plusSeconds(1);
            CountDownLatch failed = new CountDownLatch(1);
            source.answer(() -> {
                Fleet.SourceState state = watch.newest().sources().getFirst();
                if (state.failure().contains("a defect") && state.observedAt().isKnown()) {
                    failed.countDown();
                }
                return report("asked", later, "n1");
            });
            source.answer(() -> report("asked", later, "n1", "n2"));
            assertThat(failed.getCount())
                    .as("a defect is told, and ends nothing")
                    .isZero();
            // The same hosts again are news all the same: they were seen later.
            assertThat(watch.newest().sources().getFirst().observedAt().find()).contains(later);
            assertThat(watch.newest().sources().getFirst().failure()).isEmpty();
        }
    }

    @Test
    void twoSourcesOfOneNameAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FleetWatch.start(List.of(new Told("a"), new Told("a")), INTERVAL, LIMIT))
                .withMessage("two sources are called a");
    }
}
