// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.mesh.store.MemoryStore;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import dev.muster.testing.Waiting;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WatchdogTest {
    private static final SessionConfig CONFIG = SessionConfig.of(Secret.of(Secret.randomText()))
            .withHeartbeat(Duration.ofMillis(2), Duration.ofMillis(200));

    @Test
    void aSilentRankIsNamedAndOneThatBeatsIsNot() throws Exception {
        CompletableFuture<Integer> silent = new CompletableFuture<>();
        try (MemoryStore memory = MemoryStore.create();
                Store store = memory.open();
                Watchdog first = new Watchdog(store, 0, 2, CONFIG, silent::complete, () -> {})) {
            Watchdog second = new Watchdog(store, 1, 2, CONFIG, silent::complete, () -> {});
            first.watch();
            second.watch();
            while (beats(store, 0) < 5 || beats(store, 1) < 5) {
                Thread.sleep(1);
            }
            assertThat(silent).isNotDone();
            second.close();
            assertThat(silent.get(Waiting.seconds(30), TimeUnit.SECONDS)).isEqualTo(1);
        }
    }

    private static long beats(Store store, int rank) {
        byte[] count = store.await("beat/" + rank, Waiting.limit(Duration.ofSeconds(30)));
        return Long.parseLong(new String(count, StandardCharsets.US_ASCII));
    }

    @Test
    void aWatchdogEndsWithItsStore() {
        try (MemoryStore memory = MemoryStore.create()) {
            Store store = memory.open();
            Watchdog watchdog = new Watchdog(store, 0, 2, CONFIG, _ -> {}, () -> {});
            store.close();
            watchdog.close();
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> new Watchdog(store, 0, 2, CONFIG, _ -> {}, () -> {}))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(StoreException.StoreError.CLOSED));
        }
    }

    @Test
    void aHeartbeatHasAPeriod() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> CONFIG.withHeartbeat(Duration.ZERO, Duration.ofSeconds(1)));
    }
}
