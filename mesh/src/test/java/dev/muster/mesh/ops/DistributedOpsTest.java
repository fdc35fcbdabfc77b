// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.ReduceOp;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DistributedOpsTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void sumsAndMovesFloatsAndInts(int ranks) throws Exception {
        List<List<String>> results = Threads.run(ranks, ops -> {
            int rank = ops.rank();
            float[] sum = {rank, 1, -rank};
            ops.allReduce(sum, ReduceOp.SUM);
            int[] most = {rank, -rank};
            ops.allReduce(most, ReduceOp.MAX);
            float[] told = {rank == ops.size() - 1 ? 7 : 0};
            ops.broadcast(told, ops.size() - 1);
            float[] all = new float[2 * ops.size()];
            ops.allGather(new float[] {rank, 0.5f}, all);
            int[] pieces = new int[ops.size()];
            Arrays.setAll(pieces, i -> i);
            int[] piece = new int[1];
            ops.reduceScatter(pieces, piece, ReduceOp.SUM);
            assertThat(pieces[ops.size() - 1]).isEqualTo(ops.size() - 1);
            assertThat(piece[0]).isEqualTo(rank * ops.size());
            for (int peer = 0; peer < ops.size(); peer++) {
                assertThat(all[2 * peer]).isEqualTo(peer);
                assertThat(all[2 * peer + 1]).isEqualTo(0.5f);
            }
            return List.of(text(sum), Arrays.toString(most), text(told));
        });
        float total = ranks * (ranks - 1) / 2f;
        assertThat(results).containsOnly(List.of(text(total, ranks, -total), "[" + (ranks - 1) + ", 0]", text(7)));
    }

    private static String text(float... values) {
        return Arrays.toString(values).replace("-0.0", "0.0");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void onlyTheRootGathersAndOnlyItsDataIsScattered(int ranks) throws Exception {
        int root = ranks - 1;
        Threads.run(ranks, ops -> {
            boolean isRoot = ops.rank() == root;
            float[] data = isRoot ? new float[2 * ranks] : new float[0];
            for (int i = 0; i < data.length; i++) {
                data[i] = i;
            }
            float[] piece = new float[2];
            ops.scatter(data, piece, root);
            assertThat(piece).containsExactly(2f * ops.rank(), 2f * ops.rank() + 1);
            float[] gathered = new float[isRoot ? 2 * ranks : 1];
            gathered[0] = -1;
            ops.gather(piece, gathered, root);
            if (isRoot) {
                assertThat(gathered).isEqualTo(data);
            } else {
                assertThat(gathered).containsExactly(-1);
            }
            return 0;
        });
    }

    @Test
    void arraysAreSentAndReceived() throws Exception {
        List<Integer> received = Threads.run(2, ops -> {
            int[] values = {ops.rank() * 40 + 2, 5};
            if (ops.rank() == 1) {
                ops.send(values, 0);
            } else {
                ops.receive(values, 1);
            }
            float[] floats = new float[20_000];
            floats[19_999] = ops.rank();
            if (ops.rank() == 0) {
                ops.receive(floats, 1);
                assertThat(floats[19_999]).isOne();
            } else {
                ops.send(floats, 0);
            }
            return values[0];
        });
        assertThat(received).containsExactly(42, 42);
    }

    @Test
    void wrongLengthsAreFoundBeforeOthersAreDisturbed() throws Exception {
        Threads.run(2, ops -> {
            assertThatThrownBy(() -> ops.allGather(new float[2], new float[3]))
                    .isInstanceOf(IllegalArgumentException.class);
            return 0;
        });
    }

    @Test
    void withoutAGroupEveryCallSaysSo() {
        try (DistributedOps ops = DistributedOps.unconnected()) {
            assertThatThrownBy(() -> ops.allReduce(new float[1], ReduceOp.SUM))
                    .isInstanceOf(GroupException.class)
                    .hasMessageContaining("No communication backend configured");
            assertThatThrownBy(ops::barrier).hasMessageContaining("No communication backend configured");
            assertThatThrownBy(() -> ops.send(new int[1], 0))
                    .hasMessageContaining("No communication backend configured");
        }
    }
}
