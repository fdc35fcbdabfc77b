package dev.muster.mesh.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.mesh.liveness.Heartbeat;
import dev.muster.mesh.liveness.Liveness;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Who counts as silent, with a clock that the test moves.
class LivenessTest {
    private static final Duration SPAN = Duration.ofSeconds(3);

    @Test
    void membersAreSilentAfterTheSpanByTheStoresClock() {
        AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
        try (MemoryStore memory = MemoryStore.create(clock::get);
                Store store = memory.open()) {
            Liveness liveness = Liveness.of(store, List.of("0", "1", "2"), SPAN);
            assertThat(liveness.silent()).as("nobody has begun").containsExactly("0", "1", "2");

            store.set(Heartbeat.key("0"), new byte[0]);
            store.set(Heartbeat.key("2"), new byte[0]);
            assertThat(liveness.silent()).containsExactly("1");

            // Over the end of the clock's range, as a monotonic clock may go.
            clock.addAndGet(SPAN.toNanos());
            assertThat(liveness.silent()).as("just within the span").containsExactly("1");
            store.set(Heartbeat.key("2"), new byte[0]);
            clock.incrementAndGet();
            assertThat(liveness.silent()).containsExactly("0", "1");
        }
    }
}
