// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks.guides;

// begin model-choice-test
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelChoiceTest {
    private static final AcceleratorProfile CPU = AcceleratorProfile.cpu(Bytes.ofGib(8));

    @Test
    void aLargeGpuRunsSixteenBits() {
        AcceleratorRegistry machine = AcceleratorRegistry.of(List.of(CPU, AcceleratorProfile.cuda(0, Bytes.ofGib(24))));

        assertThat(ModelChoice.of(machine)).isEqualTo("llama3.1:8b-instruct-fp16");
    }

    @Test
    void aSmallerGpuRunsEightBits() {
        AcceleratorRegistry machine = AcceleratorRegistry.of(List.of(CPU, AcceleratorProfile.cuda(0, Bytes.ofGib(12))));

        assertThat(ModelChoice.of(machine)).isEqualTo("llama3.1:8b-instruct-q8_0");
    }

    @Test
    void aGpuOfUnknownMemoryIsNotCountedOn() {
        AcceleratorProfile gpu = AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 0))
                .with(DeviceFact.MEMORY, Reading.unknown(UnknownReason.NOT_PERMITTED))
                .build();

        assertThat(ModelChoice.of(AcceleratorRegistry.of(List.of(CPU, gpu)))).isEqualTo("llama3.1:8b-instruct-q4_K_M");
    }

    @Test
    void aSecondGpuChangesNothing() {
        AcceleratorRegistry machine = AcceleratorRegistry.of(List.of(CPU, AcceleratorProfile.cuda(0, Bytes.ofGib(12))));
        AcceleratorRegistry larger = machine.whatIfAdd(List.of(AcceleratorProfile.cuda(1, Bytes.ofGib(12))));

        assertThat(ModelChoice.of(larger)).isEqualTo(ModelChoice.of(machine));
    }
}
// end model-choice-test
