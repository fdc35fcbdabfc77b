// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks.guides;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.mesh.DeviceMesh;
import dev.muster.mesh.MeshSpec;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.fake.FakeSession;
import dev.muster.mesh.ops.DistributedOps;
import dev.muster.mesh.session.LocalHub;
import dev.muster.mesh.session.MeshSession;
import dev.muster.mesh.session.SessionConfig;
import dev.muster.mesh.store.Secret;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// The examples of `docs/library.md` about meshes.
class MeshGuideTest {
    @Test
    void threadsSumAsRanks() {
        Queue<float[]> sums = new ConcurrentLinkedQueue<>();
        // begin mesh-threads
        SessionConfig config = SessionConfig.of(Secret.of(Secret.randomText()));
        try (LocalHub hub = new LocalHub();
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < 4; i++) {
                int rank = i;
                threads.execute(() -> {
                    try (MeshSession session = hub.join(rank, 4, config);
                            DistributedOps ops = DistributedOps.over(session.world())) {
                        float[] values = {rank, 1};
                        ops.allReduce(values, ReduceOp.SUM);
                        sums.add(values); // [6.0, 4.0] on each rank
                    }
                });
            }
        }
        // end mesh-threads
        assertThat(sums).hasSize(4).allSatisfy(values -> assertThat(values).containsExactly(6, 4));
    }

    @Test
    void aRankOfALargeMeshIsPlayed() {
        // begin mesh-fake
        DeviceMesh mesh = DeviceMesh.planned(MeshSpec.parse("tp=8,pp=4,dp=256"));
        try (FakeSession session = FakeSession.of(mesh, 4711)) {
            ProcessGroup pipeline = session.group("pp_1183");
            System.out.println(pipeline.rank() + " of " + pipeline.identity().worldRanks());
        }
        // end mesh-fake
        assertThat(mesh.worldSize()).isEqualTo(8192);
    }

    @Test
    void processesSumUnderMeshRun() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = System.getProperty("java.class.path");
        Process run = new ProcessBuilder(
                        java,
                        "-cp",
                        classPath,
                        "dev.muster.cli.Main",
                        "mesh",
                        "run",
                        "-n",
                        "4",
                        "--",
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        "dev.muster.checks.guides.SumOfRanks")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(run.waitFor()).isZero();
        assertThat(output.lines().sorted())
                .containsExactly("[0] [6.0, 4.0]", "[1] [6.0, 4.0]", "[2] [6.0, 4.0]", "[3] [6.0, 4.0]");
    }

    /// The libraries of others named in SECURITY.md, compared with those that the JVM loads.
    @Test
    void autoLoadsNoLibraryOfOthers() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process alone = new ProcessBuilder(
                        java,
                        "-Xlog:library=info",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.muster.checks.guides.SumOfRanks")
                .redirectErrorStream(true)
                .start();
        String output = new String(alone.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(alone.waitFor()).as(output).isZero();
        assertThat(output)
                .contains("[0.0, 1.0]", "libnio")
                .doesNotContainPattern("lib(mpi|gloo|muster_gloo|nccl|rccl|cuda)");
    }
}
