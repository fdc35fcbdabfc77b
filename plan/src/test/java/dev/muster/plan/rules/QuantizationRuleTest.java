// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.Provenance;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.Reading;
import dev.muster.core.TpuVersion;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuantizationRuleTest {
    private static final long BILLION = 1_000_000_000;

    private static AcceleratorProfile cpu(long gib) {
        return AcceleratorProfile.cpu(Bytes.ofGib(gib));
    }

    private static AcceleratorProfile of(AcceleratorKind kind, long gib) {
        return AcceleratorProfile.builder(AcceleratorType.of(kind, 0))
                .with(DeviceFact.MEMORY, Reading.known(Bytes.ofGib(gib), Provenance.GIVEN))
                .build();
    }

    private static QuantizationRule rule(long billions, AcceleratorProfile... devices) {
        return RulePlanner.of(AcceleratorRegistry.of(List.of(devices))).suggestQuantization(billions * BILLION);
    }

    @Test
    void theFirstRowThatHoldsIsTaken() {
        assertThat(rule(7, cpu(16), AcceleratorProfile.tpu(0, 4, TpuVersion.V5P)))
                .isEqualTo(QuantizationRule.TPU_BF16);
        assertThat(rule(10, cpu(16), AcceleratorProfile.tpu(0, 1, TpuVersion.V5E)))
                .isEqualTo(QuantizationRule.TPU_INT8);
        assertThat(rule(7, cpu(16), AcceleratorProfile.gaudi(0, GaudiGeneration.GAUDI3)))
                .isEqualTo(QuantizationRule.GAUDI_BF16);
        assertThat(rule(60, cpu(16), AcceleratorProfile.gaudi(0, GaudiGeneration.GAUDI2)))
                .isEqualTo(QuantizationRule.GAUDI_INT8);
        assertThat(rule(7, cpu(16), of(AcceleratorKind.CUDA_GPU, 24))).isEqualTo(QuantizationRule.GPU_FP16);
        assertThat(rule(70, cpu(1024), of(AcceleratorKind.CUDA_GPU, 80))).isEqualTo(QuantizationRule.GPU_INT8);
        assertThat(rule(7, cpu(16), of(AcceleratorKind.CUDA_GPU, 4))).isEqualTo(QuantizationRule.GPU_INT4);
        assertThat(rule(7, cpu(16), of(AcceleratorKind.INTEL_NPU, 16))).isEqualTo(QuantizationRule.NPU_INT8);
        assertThat(rule(7, cpu(1), of(AcceleratorKind.INTEL_NPU, 4))).isEqualTo(QuantizationRule.NPU_INT4);
        assertThat(rule(7, cpu(16))).isEqualTo(QuantizationRule.CPU_FP16);
        assertThat(rule(13, cpu(16))).isEqualTo(QuantizationRule.CPU_INT8);
        assertThat(rule(70, cpu(2))).isEqualTo(QuantizationRule.LEAST);
    }

    @Test
    void memoryThatNobodyStatedIsMarked() {
        AcceleratorRegistry without = AcceleratorRegistry.of(List.of(of(AcceleratorKind.CUDA_GPU, 80)));
        assertThat(RulePlanner.of(without).explainQuantization(BILLION))
                .allSatisfy(step -> assertThat(step.isAssumed())
                        .isEqualTo(step.rule().holder().equals("CPU")));
        AcceleratorRegistry with = AcceleratorRegistry.of(List.of(cpu(16)));
        assertThat(RulePlanner.of(with).explainQuantization(BILLION)).noneMatch(QuantizationRule.Step::isAssumed);
    }

    @Test
    void chipsThatTheTableDoesNotKnowHoldNothing() {
        assertThat(rule(7, cpu(16), of(AcceleratorKind.QUALCOMM_AI100, 32))).isEqualTo(QuantizationRule.CPU_FP16);
    }

    @Test
    void aDeviceThatCannotBeUsedOrDoesNotTellItsMemoryHoldsNothing() {
        AcceleratorProfile gone =
                of(AcceleratorKind.CUDA_GPU, 80).toBuilder().available(false).build();
        AcceleratorProfile silent = AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 1))
                .with(DeviceFact.MEMORY, Reading.unknown(UnknownReason.NOT_SUPPORTED))
                .build();

        assertThat(rule(7, cpu(16), gone, silent)).isEqualTo(QuantizationRule.CPU_FP16);
    }

    @Test
    void withoutACpuItsMemoryIsTakenForTheUsual() {
        assertThat(rule(7)).isEqualTo(QuantizationRule.CPU_FP16);
        assertThat(rule(13).level()).isEqualTo(QuantizationLevel.INT8);
    }
}
