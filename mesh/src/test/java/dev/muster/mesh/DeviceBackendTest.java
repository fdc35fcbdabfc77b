// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceBackendTest {
    // As in kapsl-hal's tests (1): the text forms of all ten variants.
    @Test
    void printsEveryBackendInLowerCaseAndOthersAsGiven() {
        assertThat(DeviceBackend.CPU).hasToString("cpu");
        assertThat(DeviceBackend.CUDA).hasToString("cuda");
        assertThat(DeviceBackend.METAL).hasToString("metal");
        assertThat(DeviceBackend.ROCM).hasToString("rocm");
        assertThat(DeviceBackend.DIRECTML).hasToString("directml");
        assertThat(DeviceBackend.OPENCL).hasToString("opencl");
        assertThat(DeviceBackend.VULKAN).hasToString("vulkan");
        assertThat(DeviceBackend.WEBGPU).hasToString("webgpu");
        assertThat(DeviceBackend.ONEAPI).hasToString("oneapi");
        assertThat(new DeviceBackend("npu")).hasToString("npu");
    }

    @Test
    void readsKnownBackendsInAnyCase() {
        assertThat(new DeviceBackend("  CuDa ")).isEqualTo(DeviceBackend.CUDA);
        assertThat(new DeviceBackend("DirectML").isCustom()).isFalse();
        assertThat(new DeviceBackend("").isCustom()).isTrue();
    }

    // Deviation: kapsl-hal writes unknown backends back in lower case, so that they are no longer the same.
    @ParameterizedTest
    @ValueSource(strings = {"cpu", "oneapi", "MyChip", "", "a b", "Übergröße"})
    void whatIsWrittenCanBeReadBack(String text) {
        DeviceBackend backend = new DeviceBackend(text);
        assertThat(new DeviceBackend(backend.text())).isEqualTo(backend);
        assertThat(backend.text()).isEqualTo(text);
    }

    @Test
    void offersTheSpellingOfKapslHalsStatistics() {
        assertThat(DeviceBackend.CUDA.debugText()).isEqualTo("Cuda");
        assertThat(DeviceBackend.DIRECTML.debugText()).isEqualTo("DirectML");
        assertThat(new DeviceBackend("x\"y").debugText()).isEqualTo("Custom(\"x\\\"y\")");
    }

    @Test
    void everyKindOfDeviceHasABackend() {
        assertThat(DeviceBackend.of(AcceleratorKind.CUDA_GPU)).isEqualTo(DeviceBackend.CUDA);
        assertThat(DeviceBackend.of(AcceleratorKind.INTEL_ONE_API)).isEqualTo(DeviceBackend.ONEAPI);
        assertThat(DeviceBackend.of(AcceleratorKind.WINDOWS_GPU)).isEqualTo(DeviceBackend.DIRECTML);
        assertThat(DeviceBackend.of(AcceleratorKind.TPU)).isEqualTo(new DeviceBackend("tpu"));
    }
}
