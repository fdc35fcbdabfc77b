// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShardingStrategyTest {
    @Test
    void aModelThatIsNotSplitNeedsOneDevice() {
        ShardingStrategy strategy = new ShardingStrategy.None();

        assertThat(strategy.minDevices()).isEqualTo(1);
        assertThat(strategy.display()).isEqualTo("None");
    }

    @Test
    void aPipelineNeedsADeviceForEachStage() {
        ShardingStrategy strategy = new ShardingStrategy.PipelineParallel(4);

        assertThat(strategy.minDevices()).isEqualTo(4);
        assertThat(strategy.display()).isEqualTo("Pipeline Parallel (4 stages)");
    }

    @Test
    void aTensorSplitNeedsADeviceForEachSlice() {
        ShardingStrategy strategy = new ShardingStrategy.TensorParallel(8);

        assertThat(strategy.minDevices()).isEqualTo(8);
        assertThat(strategy.display()).isEqualTo("Tensor Parallel (8 devices)");
    }

    @Test
    void dataParallelismNeedsADeviceForEachReplica() {
        ShardingStrategy strategy = new ShardingStrategy.DataParallel(2);

        assertThat(strategy.minDevices()).isEqualTo(2);
        assertThat(strategy.display()).isEqualTo("Data Parallel (2 replicas)");
    }

    @Test
    void countsOfZeroAreKeptAsDocumentsOfTheReferenceHoldThem() {
        assertThat(new ShardingStrategy.DataParallel(0).minDevices()).isZero();
        assertThat(new ShardingStrategy.DataParallel(0).display()).isEqualTo("Data Parallel (0 replicas)");
    }

    @Test
    void strategiesOfOneKindAndCountAreEqual() {
        assertThat(new ShardingStrategy.None()).isEqualTo(new ShardingStrategy.None());
        assertThat(new ShardingStrategy.TensorParallel(2))
                .isEqualTo(new ShardingStrategy.TensorParallel(2))
                .isNotEqualTo(new ShardingStrategy.TensorParallel(4))
                .isNotEqualTo(new ShardingStrategy.PipelineParallel(2));
    }
}
