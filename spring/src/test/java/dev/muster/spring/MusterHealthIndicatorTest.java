// SPDX-License-Identifier: Apache-2.0
package dev.muster.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorRequirement;
import dev.muster.core.Preflight;
import dev.muster.core.unit.Bytes;
import dev.muster.monitor.SampleHistory;
import dev.muster.monitor.Sampler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class MusterHealthIndicatorTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Preflight TWO_GPUS =
            new Preflight(AcceleratorRequirement.GPU, 2, Bytes.ofGib(24), Bytes.ZERO, Bytes.ZERO, Set.of());

    @Test
    void devicesThatMeetWhatIsAskedAreUp() {
        Health health = of(gpu(0, 80), gpu(1, 80));
        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails())
                .containsEntry(
                        "findings",
                        Map.of(
                                "count", "2 devices that satisfy 'gpu', 2 required",
                                "memory", "2 of them with at least 24.0 GiB, 2 required"))
                .containsEntry("gaps", 0)
                .doesNotContainKey("failed");
    }

    @Test
    void whatIsNotMetIsNamed() {
        Health health = of(gpu(0, 80), gpu(1, 16));
        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails()).containsEntry("failed", List.of("memory"));
    }

    @Test
    void aDetectionThatThrowsIsDown() {
        Supplier<AcceleratorRegistry> broken = () -> {
            throw new IllegalStateException("no driver");
        };
        Health health = MusterHealthIndicator.of(TWO_GPUS, broken).health();
        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails().toString()).contains("no driver");
    }

    @Test
    void healthIsUnknownBeforeTheFirstLook() throws InterruptedException {
        CountDownLatch allowed = new CountDownLatch(1);
        Supplier<AcceleratorRegistry> slow = () -> {
            await(allowed);
            return AcceleratorRegistry.of(List.of(gpu(0, 80), gpu(1, 80)));
        };
        try (Sampler sampler = sampler(slow)) {
            MusterHealthIndicator indicator = MusterHealthIndicator.of(TWO_GPUS, sampler);
            assertThat(indicator.health().getStatus()).isEqualTo(Status.UNKNOWN);
            allowed.countDown();
            assertThat(sampler.awaitNewer(0, LIMIT)).isPresent();
            assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
        }
    }

    @Test
    void aLookThatFailedIsDownWithWhatWasSeenBefore() throws InterruptedException {
        CountDownLatch failing = new CountDownLatch(3);
        Supplier<AcceleratorRegistry> once = () -> {
            failing.countDown();
            if (failing.getCount() < 2) {
                throw new IllegalStateException("fell off the bus");
            }
            return AcceleratorRegistry.of(List.of(gpu(0, 80), gpu(1, 80)));
        };
        try (Sampler sampler = sampler(once)) {
            // The third look begins after the failure of the second was noted.
            assertThat(failing.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            Health health = MusterHealthIndicator.of(TWO_GPUS, sampler).health();
            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat(health.getDetails())
                    .containsEntry("failure", "fell off the bus")
                    .containsKey("findings");
        }
    }

    private static Health of(AcceleratorProfile... devices) {
        AcceleratorRegistry registry = AcceleratorRegistry.of(List.of(devices));
        return MusterHealthIndicator.of(TWO_GPUS, () -> registry).health();
    }

    private static Sampler sampler(Supplier<AcceleratorRegistry> look) {
        return Sampler.start(look, Duration.ofMillis(1), SampleHistory.ofLength(1), InstantSource.system());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static AcceleratorProfile gpu(int index, long gib) {
        return AcceleratorProfile.cuda(index, Bytes.ofGib(gib));
    }
}
