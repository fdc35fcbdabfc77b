// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

class MeshTopologyTest {
    @Test
    void eachTopologyKnowsHowManyDevicesItFills() {
        assertThat(new MeshTopology.DataParallel().expectedWorldSize()).isEqualTo(1);
        assertThat(new MeshTopology.TensorParallel(4).expectedWorldSize()).isEqualTo(4);
        assertThat(new MeshTopology.PipelineParallel(3).expectedWorldSize()).isEqualTo(3);
        assertThat(new MeshTopology.Mixed(2, 2, 3).expectedWorldSize()).isEqualTo(12);
    }

    @Test
    void tooFewDevicesForATensorSplitAreRefused() {
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> new MeshTopology.TensorParallel(4).validate(2))
                .withMessage("Tensor parallel degree 4 requires at least 4 devices, got 2");
    }

    @Test
    void tooFewDevicesForAPipelineAreRefused() {
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> new MeshTopology.PipelineParallel(8).validate(7))
                .withMessage("Pipeline parallel requires 8 stages, got 7 devices");
    }

    @Test
    void tooFewDevicesForMixedParallelismAreRefused() {
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> new MeshTopology.Mixed(2, 2, 3).validate(11))
                .withMessage("Mixed parallelism (TP=2, PP=2, DP=3) requires 12 devices, got 11");
    }

    @Test
    void noDeviceAtAllIsRefusedByEveryTopology() {
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> new MeshTopology.DataParallel().validate(0));
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> new MeshTopology.TensorParallel(1).validate(0))
                .withMessage("Tensor parallel degree 1 requires at least 1 devices, got 0");
    }

    @Test
    void exactlyEnoughDevicesAreAccepted() {
        assertThatCode(() -> {
                    new MeshTopology.DataParallel().validate(1);
                    new MeshTopology.TensorParallel(4).validate(4);
                    new MeshTopology.PipelineParallel(8).validate(8);
                    new MeshTopology.Mixed(2, 2, 3).validate(12);
                })
                .doesNotThrowAnyException();
    }

    @Test
    void surplusDevicesAreAccepted() {
        assertThatCode(() -> {
                    new MeshTopology.DataParallel().validate(1000);
                    new MeshTopology.TensorParallel(4).validate(5);
                    new MeshTopology.PipelineParallel(8).validate(Long.MAX_VALUE);
                    new MeshTopology.Mixed(2, 2, 3).validate(13);
                })
                .doesNotThrowAnyException();
    }

    @Test
    void sizesBelowOneAreRefused() {
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> new MeshTopology.TensorParallel(0))
                .withMessage("the tensor-parallel degree is at least 1: 0");
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> new MeshTopology.PipelineParallel(-1))
                .withMessage("the number of pipeline stages is at least 1: -1");
        assertThatExceptionOfType(MeshPlanException.class).isThrownBy(() -> new MeshTopology.Mixed(0, 1, 1));
        assertThatExceptionOfType(MeshPlanException.class).isThrownBy(() -> new MeshTopology.Mixed(1, 0, 1));
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> new MeshTopology.Mixed(1, 1, 0))
                .withMessage("the number of replicas is at least 1: 0");
    }

    @Test
    void sizesWhoseProductNoNumberHoldsAreRefusedLikeTooFewDevices() {
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> new MeshTopology.Mixed(1L << 32, 1L << 32, 2).validate(8));
    }
}
