// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.mesh.DeviceMesh;
import dev.muster.mesh.GroupBackend;
import dev.muster.mesh.MeshGroup;
import dev.muster.mesh.MeshSpec;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.store.Secret;
import dev.muster.testing.Waiting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SessionConfigTest {
    private static final SessionConfig CONFIG =
            SessionConfig.of(Secret.of(Secret.randomText())).withLimit(Waiting.limit(Duration.ofSeconds(20)));

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

    @Test
    void groupsGoByTheBackendThatTheirPlanNames() throws Exception {
        DeviceMesh mesh = DeviceMesh.planned(MeshSpec.parse("tp=2,pp=2,dp=2"))
                .withBackend("tp", GroupBackend.TCP)
                .withBackend("pp", GroupBackend.GLOO);
        SessionConfig withoutGloo = CONFIG.withSettings(Map.of("MUSTER_GLOO_SHIM", "libnothing.so"));
        for (String line : arranged(mesh, withoutGloo)) {
            assertThat(line)
                    .contains("tp: tcp, it was requested")
                    .contains("dp: local, all members are threads of one process")
                    .contains("pp: local, the plan names gloo, which rank ")
                    .contains("libnothing.so");
        }
        assertThat(arranged(mesh, CONFIG.withBackend("local")))
                .allSatisfy(line -> assertThat(line).contains("tp: local").contains("pp: local"));
        assertThatThrownBy(() -> arranged(mesh.withBackend("dp", GroupBackend.MPI), withoutGloo))
                .hasMessageContaining("its plan names mpi, which is available only to ranks that mpirun started");
    }

    /// The backend of each rank's groups, and why, after an all-reduce over each.
    private static List<String> arranged(DeviceMesh mesh, SessionConfig config) throws Exception {
        try (LocalHub hub = new LocalHub();
                ExecutorService threads = Executors.newFixedThreadPool(mesh.worldSize())) {
            List<Future<String>> ranks = IntStream.range(0, mesh.worldSize())
                    .mapToObj(rank -> threads.submit(() -> arrangedRank(hub, rank, mesh, config)))
                    .toList();
            List<String> lines = new ArrayList<>();
            for (Future<String> rank : ranks) {
                lines.add(Waiting.result(rank));
            }
            return lines;
        }
    }

    private static String arrangedRank(LocalHub hub, int rank, DeviceMesh mesh, SessionConfig config) {
        try (MeshSession session = hub.join(rank, mesh.worldSize(), config);
                Arena arena = Arena.ofConfined()) {
            session.arrange(mesh);
            MemorySegment one = arena.allocate(ValueLayout.JAVA_INT);
            StringBuilder line = new StringBuilder();
            for (MeshGroup planned : mesh.withRank(rank).ownGroups()) {
                ProcessGroup group = session.group(planned.name());
                one.set(ValueLayout.JAVA_INT, 0, 1);
                group.allReduce(one, DType.INT32, ReduceOp.SUM);
                assertThat(one.get(ValueLayout.JAVA_INT, 0)).isEqualTo(planned.size());
                line.append(planned.name().replaceAll("_.*", ": "))
                        .append(group.engine())
                        .append(", ")
                        .append(session.reason(planned.name()))
                        .append("; ");
            }
            return line.toString();
        }
    }
}
