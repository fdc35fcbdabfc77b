// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.muster.core.AcceleratorRequirement;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrainingMethodTest {
    @ParameterizedTest
    @CsvSource({
        "FULL_FINE_TUNE, full, FullFineTune",
        "LORA, lora, LoRA",
        "PREFIX, prefix, Prefix",
        "DPO, dpo, DPO",
        "RLHF, rlhf, RLHF",
        "DISTILLATION, distillation, Distillation"
    })
    void methodsHaveAWordForPeopleAndAWordForDocuments(TrainingMethod.Simple method, String display, String name) {
        assertThat(method.display()).isEqualTo(display);
        assertThat(method.referenceName()).isEqualTo(name);
    }

    @Test
    void theTableAboveHasEveryMethod() {
        assertThat(Arrays.stream(TrainingMethod.Simple.values()).map(TrainingMethod::display))
                .containsExactly("full", "lora", "prefix", "dpo", "rlhf", "distillation");
    }

    @ParameterizedTest
    @CsvSource({"0, qlora-0bit", "3, qlora-3bit", "4, qlora-4bit", "8, qlora-8bit", "255, qlora-255bit"})
    void quantizedLoraShowsItsBitsAsTheyAre(int bits, String display) {
        assertThat(new TrainingMethod.QLora(bits).display()).isEqualTo(display);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 256, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void bitsThatDoNotFitIntoAByteAreRefused(int bits) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TrainingMethod.QLora(bits))
                .withMessage("bits per weight are from 0 to 255: " + bits);
    }

    @Test
    void bothKindsOfLoraPreferAGpu() {
        assertThat(TrainingMethod.Simple.LORA.preferredAccelerator()).isEqualTo(AcceleratorRequirement.GPU);
        assertThat(new TrainingMethod.QLora(4).preferredAccelerator()).isEqualTo(AcceleratorRequirement.GPU);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LORA")
    void everyOtherMethodPrefersAGpuOrATpu(TrainingMethod.Simple method) {
        assertThat(method.preferredAccelerator()).isEqualTo(AcceleratorRequirement.GPU_OR_TPU);
    }
}
