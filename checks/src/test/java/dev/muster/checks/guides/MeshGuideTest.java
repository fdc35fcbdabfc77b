// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks.guides;

import static dev.muster.mesh.ops.ArrayPlacement.replicate;
import static dev.muster.mesh.ops.ArrayPlacement.shard;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.mesh.DeviceMesh;
import dev.muster.mesh.MeshSpec;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.fake.FakeSession;
import dev.muster.mesh.ops.DistributedOps;
import dev.muster.mesh.ops.DistributedOps.Share;
import dev.muster.mesh.ops.Matrix;
import dev.muster.mesh.ops.ParallelLayers.ColumnParallelLinear;
import dev.muster.mesh.ops.ParallelLayers.LinearGradients;
import dev.muster.mesh.ops.ParallelLayers.RowParallelLinear;
import dev.muster.mesh.ops.ShardedArray;
import dev.muster.mesh.session.LocalHub;
import dev.muster.mesh.session.MeshSession;
import dev.muster.mesh.session.SessionConfig;
import dev.muster.mesh.store.Secret;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
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
    void anMlpIsTrainedByTensorAndDataParallelRanks() {
        Matrix batch = counting(4, 3, 1);
        Matrix upWeight = counting(4, 3, 2);
        Matrix upBias = counting(1, 4, 1);
        Matrix downWeight = counting(2, 4, -3);
        Matrix downBias = counting(1, 2, 0);
        Queue<Matrix> gradients = new ConcurrentLinkedQueue<>();
        Consumer<List<LinearGradients>> optimizer =
                layers -> gradients.add(layers.getFirst().weight());
        inFourRanks(session -> {
            // begin mesh-mlp
            session.arrange(DeviceMesh.planned(MeshSpec.parse("tp=2,dp=2")));
            try (DistributedOps tp = DistributedOps.over(session.axis("tp"));
                    DistributedOps dp = DistributedOps.over(session.axis("dp"))) {
                Matrix input = batch.rows(Share.of(batch.rows(), dp.size(), dp.rank()));
                ColumnParallelLinear up = ColumnParallelLinear.shard(tp, upWeight, upBias);
                RowParallelLinear down = RowParallelLinear.shard(tp, downWeight, downBias);
                Matrix hidden = up.forward(input);
                LinearGradients second = down.backward(hidden, down.forward(hidden)); // of half the squared output
                LinearGradients first = up.backward(input, second.input());
                for (Matrix gradient : List.of(first.weight(), first.bias(), second.weight(), second.bias())) {
                    dp.allReduce(gradient.values(), ReduceOp.AVERAGE);
                }
                optimizer.accept(List.of(first, second)); // of this rank's shards
            }
            // end mesh-mlp
        });
        Matrix hidden = batch.timesTransposed(upWeight).plusRow(upBias);
        Matrix output = hidden.timesTransposed(downWeight).plusRow(downBias);
        Matrix whole = output.times(downWeight).transposedTimes(batch);
        float[] average = whole.values();
        for (int i = 0; i < average.length; i++) {
            average[i] /= 2;
        }
        assertThat(gradients)
                .extracting(gradient -> Arrays.toString(gradient.values()))
                .hasSize(4)
                .containsOnly(
                        Arrays.toString(Arrays.copyOf(average, 6)),
                        Arrays.toString(Arrays.copyOfRange(average, 6, 12)));
    }

    private static Matrix counting(int rows, int columns, int from) {
        float[] values = new float[rows * columns];
        for (int i = 0; i < values.length; i++) {
            values[i] = from + i % 5;
        }
        return Matrix.of(rows, columns, values);
    }

    @Test
    void weightsAreShardedAnew() {
        float[] values = counting(4, 6, 0).values();
        Queue<float[]> parts = new ConcurrentLinkedQueue<>();
        inFourRanks(session -> {
            // begin mesh-sharded
            session.arrange(DeviceMesh.planned(MeshSpec.parse("tp=2,dp=2")));
            MemorySegment whole = MemorySegment.ofArray(values); // 4 x 6, the same on all ranks
            try (ShardedArray rows = ShardedArray.distribute(
                            session, DType.FLOAT32, new long[] {4, 6}, whole, shard(0), replicate());
                    ShardedArray columns = rows.redistribute(shard(1), replicate())) {
                parts.add(columns.local().toArray(ValueLayout.JAVA_FLOAT)); // 4 x 3 on each rank
            }
            // end mesh-sharded
        });
        assertThat(parts)
                .hasSize(4)
                .allSatisfy(part -> assertThat(part)
                        .hasSize(12)
                        .startsWith(
                                part[0] == values[0]
                                        ? new float[] {0, 1, 2, 1, 2, 3}
                                        : new float[] {3, 4, 0, 4, 0, 1}));
    }

    private static void inFourRanks(Consumer<MeshSession> task) {
        SessionConfig config = SessionConfig.of(Secret.of(Secret.randomText()));
        try (LocalHub hub = new LocalHub();
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < 4; i++) {
                int rank = i;
                threads.execute(() -> {
                    try (MeshSession session = hub.join(rank, 4, config)) {
                        task.accept(session);
                        session.world().barrier();
                    }
                });
            }
        }
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
