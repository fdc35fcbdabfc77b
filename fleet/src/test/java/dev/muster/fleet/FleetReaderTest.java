// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.muster.core.AcceleratorRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class FleetReaderTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static FleetSource source(String name, Supplier<SourceReport> read) {
        return new FleetSource() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public SourceReport read(Duration limit) {
                return read.get();
            }
        };
    }

    private static SourceReport report(String name, String host) {
        return new SourceReport(
                name, Instant.EPOCH, List.of(HostReport.ofDevices(host, AcceleratorRegistry.of(List.of()))), List.of());
    }

    @Test
    void aDeadSourceIsNamedAndItsLastWordIsKept() {
        AtomicBoolean dead = new AtomicBoolean();
        FleetReader reader = FleetReader.of(List.of(
                source("a", () -> {
                    if (dead.get()) {
                        throw new FleetException("a: it is gone");
                    }
                    return report("a", "n1");
                }),
                source("b", () -> report("b", "n2")),
                source("c", () -> {
                    throw new IllegalStateException("a defect");
                })));
        Fleet first = reader.read(LIMIT);
        assertThat(first.hosts()).extracting(FleetHost::name).containsExactly("n1", "n2");
        assertThat(first.sources())
                .extracting(Fleet.SourceState::failure)
                .satisfiesExactly(
                        a -> assertThat(a).isEmpty(),
                        b -> assertThat(b).isEmpty(),
                        c -> assertThat(c).contains("a defect"));
        dead.set(true);
        Fleet second = reader.read(LIMIT);
        assertThat(second.hosts()).isEqualTo(first.hosts());
        assertThat(second.sources().getFirst().failure()).isEqualTo("a: it is gone");
        assertThat(second.sources().getFirst().observedAt().find()).contains(Instant.EPOCH);
        assertThat(second.sources().get(2).observedAt().isKnown()).isFalse();
    }

    @Test
    void aSourceThatHangsKeepsNobodyWaiting() {
        CountDownLatch never = new CountDownLatch(1);
        FleetReader reader = FleetReader.of(List.of(
                source("hangs", () -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        throw new FleetException("stopped", e);
                    }
                    return report("hangs", "n1");
                }),
                source("b", () -> report("b", "n2"))));
        Fleet fleet = reader.read(Duration.ofMillis(300));
        assertThat(fleet.hosts()).extracting(FleetHost::name).containsExactly("n2");
        assertThat(fleet.sources().getFirst().failure()).contains("did not answer within 0.3 s");
    }

    @Test
    void twoSourcesOfOneNameAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FleetReader.of(
                        List.of(source("a", () -> report("a", "n1")), source("a", () -> report("a", "n1")))));
    }
}
