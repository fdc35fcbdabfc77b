// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorType;
import dev.muster.core.unit.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelShardTest {
    @ParameterizedTest
    @CsvSource({"0, 0, 1", "0, 31, 32", "32, 63, 32", "7, 8, 2", "0, 4294967295, 4294967296"})
    void bothEndsOfARangeCount(long first, long last, long layers) {
        ShardingPlan.Shard shard = shard(first, last);

        assertThat(shard.layerCount()).isEqualTo(layers);
        assertThat(shard.isValid()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "64, 32", "4294967295, 0"})
    void aRangeThatRunsBackwardsHasNoLayersAndIsNotValid(long first, long last) {
        ShardingPlan.Shard shard = shard(first, last);

        assertThat(shard.layerCount()).isZero();
        assertThat(shard.isValid()).isFalse();
    }

    @Test
    void keepsWhereItIsAndWhatItTakes() {
        ShardingPlan.Shard shard =
                new ShardingPlan.Shard(3, 0, 9, AcceleratorType.of(AcceleratorKind.CUDA_GPU, 3), Bytes.ofGib(14));

        assertThat(shard.shardId()).isEqualTo(3);
        assertThat(shard.device().display()).isEqualTo("CUDA GPU (device 3)");
        assertThat(shard.memory()).isEqualTo(Bytes.ofGib(14));
    }

    private static ShardingPlan.Shard shard(long first, long last) {
        return new ShardingPlan.Shard(0, first, last, AcceleratorType.cpu(), Bytes.ZERO);
    }
}
