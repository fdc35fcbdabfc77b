// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

class MeshTopologyTest {
    @Test
    void eachTopologyKnowsHowManyDevicesItFills() {
        assertThat(MeshTopology.dataParallel().expectedWorldSize()).isEqualTo(1);
        assertThat(MeshTopology.tensorParallel(4).expectedWorldSize()).isEqualTo(4);
        assertThat(MeshTopology.pipelineParallel(3).expectedWorldSize()).isEqualTo(3);
        assertThat(MeshTopology.mixed(2, 2, 3).expectedWorldSize()).isEqualTo(12);
    }

    @Test
    void tooFewDevicesForATensorSplitAreRefused() {
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> MeshTopology.tensorParallel(4).validate(2))
                .withMessage("Tensor parallel degree 4 requires at least 4 devices, got 2");
    }

    @Test
    void tooFewDevicesForAPipelineAreRefused() {
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> MeshTopology.pipelineParallel(8).validate(7))
                .withMessage("Pipeline parallel requires 8 stages, got 7 devices");
    }

    @Test
    void tooFewDevicesForMixedParallelismAreRefused() {
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> MeshTopology.mixed(2, 2, 3).validate(11))
                .withMessage("Mixed parallelism (TP=2, PP=2, DP=3) requires 12 devices, got 11");
    }

    @Test
    void noDeviceAtAllIsRefusedByEveryTopology() {
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> MeshTopology.dataParallel().validate(0));
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> MeshTopology.tensorParallel(1).validate(0))
                .withMessage("Tensor parallel degree 1 requires at least 1 devices, got 0");
    }

    @Test
    void exactlyEnoughDevicesAreAccepted() {
        assertThatCode(() -> {
                    MeshTopology.dataParallel().validate(1);
                    MeshTopology.tensorParallel(4).validate(4);
                    MeshTopology.pipelineParallel(8).validate(8);
                    MeshTopology.mixed(2, 2, 3).validate(12);
                })
                .doesNotThrowAnyException();
    }

    @Test
    void surplusDevicesAreAccepted() {
        assertThatCode(() -> {
                    MeshTopology.dataParallel().validate(1000);
                    MeshTopology.tensorParallel(4).validate(5);
                    MeshTopology.pipelineParallel(8).validate(Long.MAX_VALUE);
                    MeshTopology.mixed(2, 2, 3).validate(13);
                })
                .doesNotThrowAnyException();
    }

    @Test
    void sizesBelowOneAreRefused() {
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> MeshTopology.tensorParallel(0))
                .withMessage("the tensor-parallel degree is at least 1: 0");
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> MeshTopology.pipelineParallel(-1))
                .withMessage("the number of pipeline stages is at least 1: -1");
        assertThatExceptionOfType(MeshPlanException.class).isThrownBy(() -> MeshTopology.mixed(0, 1, 1));
        assertThatExceptionOfType(MeshPlanException.class).isThrownBy(() -> MeshTopology.mixed(1, 0, 1));
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> MeshTopology.mixed(1, 1, 0))
                .withMessage("the number of replicas is at least 1: 0");
    }

    @Test
    void sizesWhoseProductNoNumberHoldsAreRefusedLikeTooFewDevices() {
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> MeshTopology.mixed(1L << 32, 1L << 32, 2).validate(8));
    }
}
