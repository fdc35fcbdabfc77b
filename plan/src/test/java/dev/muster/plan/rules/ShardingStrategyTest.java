// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShardingStrategyTest {
    @Test
    void aModelThatIsNotSplitNeedsOneDevice() {
        ShardingStrategy strategy = ShardingStrategy.NONE;

        assertThat(strategy.minDevices()).isEqualTo(1);
        assertThat(strategy.display()).isEqualTo("None");
    }

    @Test
    void aPipelineNeedsADeviceForEachStage() {
        ShardingStrategy strategy = ShardingStrategy.pipelineParallel(4);

        assertThat(strategy.minDevices()).isEqualTo(4);
        assertThat(strategy.display()).isEqualTo("Pipeline Parallel (4 stages)");
    }

    @Test
    void aTensorSplitNeedsADeviceForEachSlice() {
        ShardingStrategy strategy = ShardingStrategy.tensorParallel(8);

        assertThat(strategy.minDevices()).isEqualTo(8);
        assertThat(strategy.display()).isEqualTo("Tensor Parallel (8 devices)");
    }

    @Test
    void dataParallelismNeedsADeviceForEachReplica() {
        ShardingStrategy strategy = ShardingStrategy.dataParallel(2);

        assertThat(strategy.minDevices()).isEqualTo(2);
        assertThat(strategy.display()).isEqualTo("Data Parallel (2 replicas)");
    }

    @Test
    void countsOfZeroAreKeptAsDocumentsOfTheReferenceHoldThem() {
        assertThat(ShardingStrategy.dataParallel(0).minDevices()).isZero();
        assertThat(ShardingStrategy.dataParallel(0).display()).isEqualTo("Data Parallel (0 replicas)");
    }

    @Test
    void strategiesOfOneKindAndCountAreEqual() {
        assertThat(new ShardingStrategy(ShardingStrategy.Kind.NONE, 1)).isEqualTo(ShardingStrategy.NONE);
        assertThat(ShardingStrategy.tensorParallel(2))
                .isEqualTo(ShardingStrategy.tensorParallel(2))
                .isNotEqualTo(ShardingStrategy.tensorParallel(4))
                .isNotEqualTo(ShardingStrategy.pipelineParallel(2));
    }
}
