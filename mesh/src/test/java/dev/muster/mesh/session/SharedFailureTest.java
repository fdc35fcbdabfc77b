// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.store.MemoryStore;
import dev.muster.mesh.store.Store;
import dev.muster.testing.Waiting;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SharedFailureTest {
    private static final Duration LONG = Waiting.limit(Duration.ofSeconds(30));
    private static final Duration SHORT = Duration.ofMillis(1);

    private static GroupException lost() {
        return new GroupException(GroupError.PEER_LOST, "a process has ended");
    }

    @Test
    void aLossThatNamesNobodyGetsTheNameFromTheStore() throws Exception {
        try (MemoryStore memory = MemoryStore.create();
                Store store = memory.open();
                SharedFailure board = new SharedFailure(store, 0, failure -> {}, LONG)) {
            CompletableFuture<GroupException> reported = CompletableFuture.supplyAsync(() -> board.report(lost()));
            store.set("lost/2", new byte[0]); // what a store says whose client is gone
            GroupException first = reported.get(LONG.toSeconds(), TimeUnit.SECONDS);
            assertThat(first.code()).isEqualTo(GroupError.PEER_LOST);
            assertThat(first.missingRanks()).containsExactly(2);
        }
    }

    @Test
    void aLossThatNobodyCanNameStaysAsItIs() {
        try (MemoryStore memory = MemoryStore.create();
                Store store = memory.open();
                SharedFailure board = new SharedFailure(store, 0, failure -> {}, SHORT)) {
            GroupException found = lost();
            assertThat(board.report(found)).isSameAs(found);
            assertThat(board.find())
                    .hasValueSatisfying(written -> assertThat(written).hasMessageContaining("a process has ended"));
        }
    }
}
