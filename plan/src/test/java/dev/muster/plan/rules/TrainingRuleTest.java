// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.plan.training.TrainingMethod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainingRuleTest {
    @ParameterizedTest
    @CsvSource({
        "FULL_FINE_TUNE, 52.1540641784668, 43.02710294723511, 44.33095455169678",
        "LORA, 15.646219253540039, 16.558915376663208, 16.167759895324707",
        "PREFIX, 14.34236764907837, 14.34236764907837, 14.472752809524536",
        "DPO, 71.71183824539185, 61.281025409698486, 62.584877014160156",
        "RLHF, 71.71183824539185, 61.281025409698486, 62.584877014160156",
        "DISTILLATION, 43.02710294723511, 37.81169652938843, 40.41939973831177"
    })
    void sevenBillionParametersTake(TrainingMethod.Simple method, double gpu, double tpu, double gaudi) {
        assertThat(total(method, MemoryEstimate.Target.GPU)).isEqualTo(gpu);
        assertThat(total(method, MemoryEstimate.Target.CPU)).isEqualTo(gpu);
        assertThat(total(method, MemoryEstimate.Target.TPU)).isEqualTo(tpu);
        assertThat(total(method, MemoryEstimate.Target.GAUDI)).isEqualTo(gaudi);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 4.889443516731262, 7.797032594680786, 6.67572021484375",
        "4, 4.889443516731262, 7.797032594680786, 6.67572021484375",
        "8, 8.475035429000854, 10.717660188674927, 9.59634780883789",
        "255, 8.475035429000854, 10.717660188674927, 9.59634780883789"
    })
    void quantizedWeightsTakeLess(int bits, double gpu, double tpu, double gaudi) {
        TrainingMethod method = new TrainingMethod.QLora(bits);
        assertThat(total(method, MemoryEstimate.Target.GPU)).isEqualTo(gpu);
        assertThat(total(method, MemoryEstimate.Target.TPU)).isEqualTo(tpu);
        assertThat(total(method, MemoryEstimate.Target.GAUDI)).isEqualTo(gaudi);
    }

    @Test
    void isSaidInOneLine() {
        MemoryEstimate estimate = MemoryEstimate.of(7000, TrainingMethod.Simple.LORA, MemoryEstimate.Target.GPU);

        assertThat(estimate.display())
                .isEqualTo("Model: 13.0 GB, Optimizer: 1.3 GB, Activations: 1.3 GB (total: 15.6 GB)");
    }

    private static double total(TrainingMethod method, MemoryEstimate.Target target) {
        return MemoryEstimate.of(7000, method, target).totalGib();
    }
}
