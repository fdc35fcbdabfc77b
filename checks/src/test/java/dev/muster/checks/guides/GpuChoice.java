// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks.guides;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.VisibleDevices;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

// begin gpu-choice
/// The NVIDIA GPU with most free memory, by the number that CUDA gives it in this process.
final class GpuChoice {
    private GpuChoice() {}

    static OptionalInt findRoomiest(AcceleratorRegistry registry, Map<String, String> variables) {
        List<AcceleratorProfile> visible = VisibleDevices.filter(registry, variables).available().stream()
                .filter(device -> device.accelerator().kind() == AcceleratorKind.CUDA_GPU)
                .filter(device -> device.partition().isEmpty())
                .toList();
        return IntStream.range(0, visible.size())
                .reduce((best, next) -> room(visible.get(next)).compareTo(room(visible.get(best))) > 0 ? next : best);
    }

    /// Free memory; all of it where that is unknown.
    private static Bytes room(AcceleratorProfile device) {
        return device.memoryFree().find().or(device.memory()::find).orElse(Bytes.ZERO);
    }
}
// end gpu-choice
