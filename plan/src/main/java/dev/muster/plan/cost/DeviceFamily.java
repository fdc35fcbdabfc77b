// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import dev.muster.plan.catalogue.DeviceEntry;
import java.util.Locale;

/// Devices whose kernels and memory behave alike. A device without measurements is taken for one of its family.
///
/// @since 0.1
public enum DeviceFamily {
    /// NVIDIA with graphics memory: GeForce, RTX, L4 and L40S.
    NVIDIA_GDDR,
    /// NVIDIA with stacked memory: A100, H100, B200.
    NVIDIA_HBM,
    /// NVIDIA with memory shared with the processor: GB10, Jetson.
    NVIDIA_SHARED,
    /// Apple's own chips.
    APPLE,
    /// AMD with graphics memory: Radeon.
    AMD_GDDR,
    /// AMD with stacked memory: Instinct.
    AMD_HBM,
    /// AMD with memory shared with the processor: Ryzen AI.
    AMD_SHARED,
    /// Intel Gaudi.
    GAUDI,
    /// AWS Inferentia and Trainium.
    NEURON,
    /// Google TPU.
    TPU,
    /// Processors, with the memory of their host.
    CPU,
    /// Everything else.
    OTHER;

    /// Returns the family of a device.
    static DeviceFamily of(DeviceEntry entry) {
        boolean stacked = entry.memory().type().startsWith("HBM");
        boolean graphics = entry.memory().type().startsWith("GDDR");
        return switch (entry.vendor()) {
            case "nvidia" -> stacked ? NVIDIA_HBM : graphics ? NVIDIA_GDDR : NVIDIA_SHARED;
            case "amd" -> stacked ? AMD_HBM : graphics ? AMD_GDDR : AMD_SHARED;
            case "apple" -> APPLE;
            case "intel" -> entry.id().startsWith("gaudi") ? GAUDI : OTHER;
            case "aws" -> NEURON;
            case "google" -> TPU;
            default -> OTHER;
        };
    }

    /// Returns the name in tables, such as `nvidia-hbm`.
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
