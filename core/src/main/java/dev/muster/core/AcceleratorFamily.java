// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

/// The five families of devices that the planner tells apart.
///
/// @since 0.1
public enum AcceleratorFamily implements KebabCaseEnum {
    /// The host's own processor.
    CPU("Cpu", "CPU"),
    /// Graphics processors.
    GPU("Gpu", "GPU"),
    /// Neural engines beside a processor, made for inference.
    NPU("Npu", "NPU"),
    /// Google's tensor processing units.
    TPU("Tpu", "TPU"),
    /// Chips made for AI alone, other than TPUs.
    AI_ASIC("AiAsic", "AI ASIC");

    private final String referenceName;
    private final String display;

    AcceleratorFamily(String referenceName, String display) {
        this.referenceName = referenceName;
        this.display = display;
    }

    /// The name in documents of ai-hwaccel, such as `AiAsic`.
    public String referenceName() {
        return referenceName;
    }

    /// The name for people, such as `AI ASIC`.
    public String display() {
        return display;
    }
}
