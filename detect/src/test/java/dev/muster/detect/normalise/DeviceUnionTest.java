// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.normalise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DeviceUnionTest {
    @ParameterizedTest
    @EnumSource(names = {"VULKAN_GPU", "WINDOWS_GPU"})
    void twoEqualGpusOfASourceOfAllVendorsStayTwo(AcceleratorKind kind) {
        DeviceUnion union = new DeviceUnion(new ArrayList<>()::add);

        union.add(List.of(gpu(kind, 0), gpu(kind, 1)));

        assertThat(union.devices()).hasSize(2);
    }

    @Test
    void twoEqualGpusThatTwoSuchSourcesSeeAreTwo() {
        DeviceUnion union = new DeviceUnion(new ArrayList<>()::add);

        union.add(List.of(gpu(AcceleratorKind.VULKAN_GPU, 0), gpu(AcceleratorKind.VULKAN_GPU, 1)));
        union.add(List.of(gpu(AcceleratorKind.WINDOWS_GPU, 0), gpu(AcceleratorKind.WINDOWS_GPU, 1)));

        assertThat(union.devices())
                .extracting(device -> device.accelerator().kind())
                .containsExactly(AcceleratorKind.VULKAN_GPU, AcceleratorKind.VULKAN_GPU);
    }

    private static AcceleratorProfile gpu(AcceleratorKind kind, long number) {
        return AcceleratorProfile.builder(AcceleratorType.of(kind, number))
                .with(DeviceFact.DEVICE_NAME, Reading.known("Radeon RX 7900 XTX", Provenance.GIVEN))
                .build();
    }
}
