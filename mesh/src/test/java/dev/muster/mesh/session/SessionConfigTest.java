package dev.muster.mesh.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.mesh.DeviceMesh;
import dev.muster.mesh.MeshSpec;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.store.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SessionConfigTest {
    private static final SessionConfig CONFIG =
            SessionConfig.of(Secret.of(Secret.randomText())).withLimit(Duration.ofSeconds(20));

    @Test
    void oneThingIsChangedAndTheOthersStay() {
        Path folder = Path.of("hugepages");
        SessionConfig changed =
                CONFIG.withBackend("shm").withSharedMemory(folder).withRankOrder(true);
        assertThat(changed.sharedMemory()).isEqualTo(folder);
        assertThat(changed.backend()).isEqualTo("shm");
        assertThat(changed.withSharedMemory(CONFIG.sharedMemory())
                        .withBackend(CONFIG.backend())
                        .withRankOrder(false))
                .isEqualTo(CONFIG);
    }

    @Test
    void allRanksAreToldWhoHasAnotherPlan() throws Exception {
        List<String> plans = List.of("tp=3", "dp=3", "tp=3");
        try (LocalHub hub = new LocalHub();
                ExecutorService threads = Executors.newFixedThreadPool(plans.size())) {
            List<Future<?>> ranks = IntStream.range(0, plans.size())
                    .<Future<?>>mapToObj(rank -> threads.submit(() -> {
                        try (MeshSession session = hub.join(rank, plans.size(), CONFIG)) {
                            session.arrange(DeviceMesh.planned(MeshSpec.parse(plans.get(rank))));
                        }
                    }))
                    .toList();
            for (Future<?> rank : ranks) {
                assertThatThrownBy(rank::get)
                        .hasCauseInstanceOf(GroupException.class)
                        .hasMessageContaining("ranks disagree about the mesh")
                        .hasMessageContaining("rank 1 has");
            }
        }
    }
}
