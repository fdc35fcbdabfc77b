// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.mesh.DeviceMesh;
import dev.muster.mesh.MeshSpec;
import dev.muster.mesh.collective.FlightDump;
import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.launch.LaunchException;
import dev.muster.mesh.start.LaunchEnvironment;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.TcpStoreConfig;
import dev.muster.mesh.store.TcpStoreServer;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Waiting;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaunchedSessionTest {
    @TempDir
    private Path temporary;

    @Test
    void aProcessThatNobodyStartedIsAMeshOfOne() {
        try (MeshSession session = MeshSession.join(LaunchContext.from(Map.of()))) {
            session.world().barrier();
            assertThat(session.worldSize()).isOne();
        }
    }

    @Test
    void ranksJoinByTheVariablesOfTheLauncher() throws Exception {
        String secret = Secret.randomText();
        try (TcpStoreServer server = TcpStoreServer.start(TcpStoreConfig.of(Secret.of(secret)))) {
            Duration limit = Waiting.limit(Duration.ofSeconds(30));
            LaunchEnvironment environment =
                    new LaunchEnvironment(3, 29_500, server.address(), secret, limit, "tcp", "auto");
            String end = " of 3 by tcp, " + limit.toSeconds() + " s";
            assertThat(joined(environment.of(0), environment.of(1), environment.of(2)))
                    .containsExactly("0" + end, "1" + end, "2" + end);
        }
    }

    @Test
    void ranksOnTheHostOfTheStoreAreReachedOverLoopbackAlone() {
        InetSocketAddress store = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);

        assertThat(LaunchedRank.towards(store).isLoopbackAddress()).isTrue();
    }

    @Test
    void ranksMeetInAFolder() throws Exception {
        String secret = Secret.randomText();
        List<Map<String, String>> ranks = new ArrayList<>();
        for (String rank : List.of("0", "1")) {
            ranks.add(Map.of(
                    "RANK",
                    rank,
                    "WORLD_SIZE",
                    "2",
                    "MUSTER_STORE",
                    "file:" + temporary.resolve("store").toAbsolutePath(),
                    "MUSTER_SECRET",
                    secret,
                    "MUSTER_LIMIT",
                    "20s",
                    "MUSTER_BACKEND",
                    "tcp"));
        }
        assertThat(joined(ranks.get(0), ranks.get(1))).containsExactly("0 of 2 by tcp, 20 s", "1 of 2 by tcp, 20 s");
    }

    @Test
    void aRankLeavesWhatItCalledWhenTheMeshFails() throws Exception {
        Path folder = temporary.resolve("recordings");
        try (MeshSession session =
                MeshSession.join(LaunchContext.from(Map.of("MUSTER_RECORDINGS", folder.toString())))) {
            session.world().barrier();
            session.fail("enough");
        }
        FlightDump recording = FlightDump.parse(Files.readString(folder.resolve("world-0.json")));
        assertThat(recording.rank()).isZero();
        assertThat(recording.records())
                .singleElement()
                .satisfies(call -> assertThat(call.what()).isEqualTo("barrier"));
    }

    @Test
    void aFolderForRecordingsThatCannotBeWrittenIsSaidAtOnce() throws Exception {
        Path file = Files.createFile(temporary.resolve("file"));
        Map<String, String> variables =
                Map.of("MUSTER_RECORDINGS", file.resolve("folder").toString());
        assertThatThrownBy(() -> MeshSession.join(LaunchContext.from(variables)))
                .isInstanceOf(LaunchException.class)
                .hasMessageContaining("which is not writable");
    }

    @Test
    @Needs(Need.SHARED_MEMORY)
    void groupsOfALaterPlanSayWhyTheyHaveTheirEngine() {
        try (MeshSession session = MeshSession.join(LaunchContext.from(Map.of()))) {
            for (int plan = 0; plan < 2; plan++) {
                session.arrange(DeviceMesh.planned(MeshSpec.parse("tp=1")));
                assertThat(session.reason("tp_0")).isEqualTo("all members are processes of one host");
            }
            assertThatThrownBy(() -> session.reason("tp_1"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("rank 0 has no group tp_1; it has world, tp_0");
        }
    }

    @SafeVarargs
    private static List<String> joined(Map<String, String>... environments) throws Exception {
        List<Callable<String>> tasks = new ArrayList<>();
        for (Map<String, String> environment : environments) {
            tasks.add(() -> {
                try (MeshSession session = MeshSession.join(LaunchContext.from(environment))) {
                    session.world().barrier();
                    return session.rank() + " of " + session.worldSize() + " by "
                            + session.world().engine() + ", "
                            + session.world().limit().toSeconds() + " s";
                }
            });
        }
        List<String> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(environments.length)) {
            for (Future<String> result : threads.invokeAll(tasks)) {
                results.add(result.get(Waiting.seconds(60), TimeUnit.SECONDS));
            }
        }
        return results;
    }

    @Test
    void whatIsMissingIsNamed() {
        Map<String, String> variables = new HashMap<>(Map.of("RANK", "0", "WORLD_SIZE", "2"));
        assertThatThrownBy(() -> MeshSession.join(LaunchContext.from(variables)))
                .isInstanceOf(LaunchException.class)
                .hasMessageContaining("MUSTER_SECRET is not set");
        variables.put("MUSTER_SECRET", Secret.randomText());
        assertThatThrownBy(() -> MeshSession.join(LaunchContext.from(variables)))
                .isInstanceOf(LaunchException.class)
                .hasMessageContaining("MUSTER_STORE is not set");
        Map<String, String> strange = Map.of("MUSTER_BACKEND", "pigeons");
        assertThatThrownBy(() -> MeshSession.join(LaunchContext.from(strange)))
                .isInstanceOf(LaunchException.class)
                .hasMessageContaining("MUSTER_BACKEND must be one of auto, local, shm, tcp, hier, ");
    }
}
