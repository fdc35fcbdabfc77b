// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.gloo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.StoreContext;
import dev.muster.mesh.store.MemoryStore;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.Store;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Waiting;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages for a missing or unusable library. Needs neither Gloo nor a compiler.
class GlooLibraryTest {
    private static final Duration LIMIT = Waiting.limit(Duration.ofSeconds(30));

    private static void connect(Store store, int rank, String library) {
        GroupIdentity group = GroupIdentity.world(2, rank, 1);
        StoreContext context = new StoreContext(store, Secret.of(Secret.randomText()), LIMIT, 2);
        GlooConnector.connect(group, library, context).close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/no/such/folder/libmuster_gloo.so", "libno_such_library.so", "./no\u0000name.so"})
    void aLibraryThatIsNotThereIsUnavailable(String library) {
        assertThatThrownBy(() -> GlooLibrary.load(library))
                .asInstanceOf(type(GroupException.class))
                .satisfies(e -> assertThat(e.code()).isEqualTo(GroupError.UNAVAILABLE))
                .satisfies(e -> assertThat(e)
                        .hasMessageStartingWith("gloo: " + library + " is not available, because ")
                        .hasMessageContaining("scripts/build-gloo-shim"));
    }

    @Test
    @Needs(Need.LINUX)
    void anotherLibraryIsUnavailable() {
        assertThatThrownBy(() -> GlooLibrary.load("libc.so.6"))
                .asInstanceOf(type(GroupException.class))
                .satisfies(e -> assertThat(e.code()).isEqualTo(GroupError.UNAVAILABLE))
                .satisfies(e -> assertThat(e)
                        .hasMessageContaining("libc.so.6 is not available, because it has no muster_gloo_"));
    }

    /// The other member says that it has the library: this one tells it that it has not, and no member waits.
    @Test
    void allMembersAreToldOfOneThatLacksIt() {
        try (MemoryStore hub = MemoryStore.create();
                Store store = hub.open()) {
            store.set("group/world/gloo/library/1", new byte[0]);
            assertThatThrownBy(() -> connect(store, 0, "/no/such/library.so"))
                    .asInstanceOf(type(GroupException.class))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(GroupError.UNAVAILABLE));
            assertThat(store.find("group/world/gloo/library/0"))
                    .hasValueSatisfying(said -> assertThat(said).asString().contains("/no/such/library.so"));
        }
    }
}
