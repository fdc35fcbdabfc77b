// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// The age of a value, with a clock that the test moves.
class StoreAgeTest {
    private static final Duration SPAN = Duration.ofSeconds(3);

    @Test
    void aValueAgesByTheStoresClock() {
        AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
        try (MemoryStore memory = MemoryStore.create(clock::get);
                Store store = memory.open()) {
            assertThat(store.findAge("beat/0")).as("not begun").isEmpty();

            store.set("beat/0", new byte[0]);
            store.set("beat/2", new byte[0]);
            assertThat(store.findAge("beat/0")).hasValue(Duration.ZERO);

            // Over the end of the clock's range, as a monotonic clock may go.
            clock.addAndGet(SPAN.toNanos());
            store.set("beat/2", new byte[0]);
            clock.incrementAndGet();
            assertThat(store.findAge("beat/0")).hasValue(SPAN.plusNanos(1));
            assertThat(store.findAge("beat/2")).hasValue(Duration.ofNanos(1));
        }
    }
}
