// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.launch.LaunchException;
import dev.muster.mesh.ops.DistributedOps;
import dev.muster.mesh.store.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// Backends that others bring: given to a configuration, or found as services.
class ForeignBackendTest {
    private static final SessionConfig CONFIG = SessionConfig.of(Secret.of(Secret.randomText()));

    private static int sum(MeshSession session, String backend) {
        try (session;
                DistributedOps ops = DistributedOps.over(session.world())) {
            int[] values = {session.rank() + 1};
            ops.allReduce(values, ReduceOp.SUM);
            session.world().barrier();
            assertThat(session.world().engine()).isEqualTo(backend);
            assertThat(session.reason("world")).isEqualTo("calls are counted");
            return values[0];
        }
    }

    @Test
    void aBackendGivenToTheConfigurationCarriesGroups() throws Exception {
        SessionConfig config =
                CONFIG.withProvider(new CountingProvider("given")).withBackend("given");
        int before = CountingProvider.CALLS.get();
        try (LocalHub hub = new LocalHub();
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Future<Integer>> sums = new ArrayList<>();
            for (int rank = 0; rank < 2; rank++) {
                int own = rank;
                sums.add(threads.submit(() -> sum(hub.join(own, 2, config), "given")));
            }
            for (Future<Integer> sum : sums) {
                assertThat(sum.get()).isEqualTo(3);
            }
        }
        assertThat(CountingProvider.CALLS.get() - before).isEqualTo(4);
    }

    @Test
    void aBackendFoundAsAServiceIsChosenByItsName() {
        LaunchContext context = LaunchContext.from(Map.of("MUSTER_BACKEND", "counting"));

        assertThat(Backends.names()).startsWith("auto", "local", "shm", "tcp").endsWith("counting");
        assertThat(sum(MeshSession.join(context), "counting")).isEqualTo(1);
    }

    @Test
    void aBackendThatIsNotThereIsNamedWithThoseThatAre() {
        assertThatThrownBy(() -> MeshSession.join(LaunchContext.from(Map.of("MUSTER_BACKEND", "carrier-pigeon"))))
                .isInstanceOf(LaunchException.class)
                .hasMessageContaining("MUSTER_BACKEND must be one of auto, local, shm, tcp");
        try (LocalHub hub = new LocalHub()) {
            assertThatThrownBy(() -> hub.join(0, 1, CONFIG.withBackend("carrier-pigeon")))
                    .isInstanceOf(GroupException.class)
                    .hasMessageContaining("backend carrier-pigeon not found; available: local, shm, tcp");
        }
    }
}
