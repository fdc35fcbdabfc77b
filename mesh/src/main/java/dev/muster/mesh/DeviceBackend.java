// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import dev.muster.core.AcceleratorKind;
import java.util.Locale;
import java.util.Map;

/// The software that drives a device. Immutable; backends of the same text are equal.
///
/// @param text lower case for the nine known backends; others keep the text that they were given, so
///     that what is written can be read back
/// @since 0.1
public record DeviceBackend(String text) {
    /// The backends that have a name of their own, with the name that kapsl-hal's programs print.
    private static final Map<String, String> KNOWN = Map.of(
            "cpu", "Cpu",
            "cuda", "Cuda",
            "metal", "Metal",
            "rocm", "Rocm",
            "directml", "DirectML",
            "opencl", "OpenCL",
            "vulkan", "Vulkan",
            "webgpu", "WebGpu",
            "oneapi", "OneApi");

    /// The host's processor.
    public static final DeviceBackend CPU = new DeviceBackend("cpu");
    /// NVIDIA's CUDA.
    public static final DeviceBackend CUDA = new DeviceBackend("cuda");
    /// Apple's Metal.
    public static final DeviceBackend METAL = new DeviceBackend("metal");
    /// AMD's ROCm.
    public static final DeviceBackend ROCM = new DeviceBackend("rocm");
    /// Microsoft's DirectML.
    public static final DeviceBackend DIRECTML = new DeviceBackend("directml");
    /// OpenCL.
    public static final DeviceBackend OPENCL = new DeviceBackend("opencl");
    /// Vulkan.
    public static final DeviceBackend VULKAN = new DeviceBackend("vulkan");
    /// WebGPU.
    public static final DeviceBackend WEBGPU = new DeviceBackend("webgpu");
    /// Intel's oneAPI.
    public static final DeviceBackend ONEAPI = new DeviceBackend("oneapi");

    /// Takes blanks off the ends and writes known backends in lower case.
    public DeviceBackend {
        String bare = text.strip();
        String lower = bare.toLowerCase(Locale.ROOT);
        text = KNOWN.containsKey(lower) ? lower : bare;
    }

    /// The backend of a kind of device.
    public static DeviceBackend of(AcceleratorKind kind) {
        return kind == AcceleratorKind.WINDOWS_GPU ? DIRECTML : new DeviceBackend(kind.text());
    }

    /// Reports whether the backend is none of the nine known ones.
    public boolean isCustom() {
        return !KNOWN.containsKey(text);
    }

    /// The backend as kapsl-hal's statistics spell it: `Cuda`, `Custom("x")`.
    public String debugText() {
        String known = KNOWN.get(text);
        return known == null ? "Custom(\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\")" : known;
    }

    @Override
    public String toString() {
        return text;
    }
}
