package dev.muster.detect;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import java.util.List;
import java.util.Optional;

/// A way of finding devices that can be switched on and off. The first seventeen are those of ai-hwaccel, in its order.
///
/// @since 0.1
public enum Backend {
    /// NVIDIA GPUs.
    CUDA("cuda", AcceleratorKind.CUDA_GPU),
    /// AMD GPUs.
    ROCM("rocm", AcceleratorKind.ROCM_GPU),
    /// Apple GPUs and neural engines.
    APPLE("apple", AcceleratorKind.METAL_GPU, AcceleratorKind.APPLE_NPU),
    /// GPUs that only Vulkan knows.
    VULKAN("vulkan", AcceleratorKind.VULKAN_GPU),
    /// Intel NPUs.
    INTEL_NPU("intel_npu", AcceleratorKind.INTEL_NPU),
    /// AMD XDNA NPUs.
    AMD_XDNA("amd_xdna", AcceleratorKind.AMD_XDNA_NPU),
    /// Google TPUs.
    TPU("tpu", AcceleratorKind.TPU),
    /// Intel Gaudi.
    GAUDI("gaudi", AcceleratorKind.GAUDI),
    /// AWS Inferentia and Trainium.
    AWS_NEURON("aws_neuron", AcceleratorKind.AWS_NEURON),
    /// Intel GPUs.
    INTEL_ONE_API("intel_oneapi", AcceleratorKind.INTEL_ONE_API),
    /// Qualcomm Cloud AI 100.
    QUALCOMM("qualcomm", AcceleratorKind.QUALCOMM_AI100),
    /// Cerebras.
    CEREBRAS("cerebras", AcceleratorKind.CEREBRAS_WSE),
    /// Graphcore.
    GRAPHCORE("graphcore", AcceleratorKind.GRAPHCORE_IPU),
    /// Groq.
    GROQ("groq", AcceleratorKind.GROQ_LPU),
    /// Samsung NPUs.
    SAMSUNG_NPU("samsung_npu", AcceleratorKind.SAMSUNG_NPU),
    /// MediaTek APUs.
    MEDIATEK_APU("mediatek_apu", AcceleratorKind.MEDIATEK_APU),
    /// GPUs that Windows names.
    WINDOWS("windows_wmi", AcceleratorKind.WINDOWS_GPU),
    /// Huawei Ascend.
    ASCEND("ascend", AcceleratorKind.HUAWEI_ASCEND),
    /// Tenstorrent.
    TENSTORRENT("tenstorrent", AcceleratorKind.TENSTORRENT),
    /// FuriosaAI.
    FURIOSA("furiosa", AcceleratorKind.FURIOSA),
    /// Rebellions.
    REBELLIONS("rebellions", AcceleratorKind.REBELLIONS),
    /// Cambricon.
    CAMBRICON("cambricon", AcceleratorKind.CAMBRICON_MLU),
    /// Moore Threads.
    MOORE_THREADS("moore_threads", AcceleratorKind.MOORE_THREADS_GPU),
    /// Hygon.
    HYGON("hygon", AcceleratorKind.HYGON_DCU),
    /// MetaX.
    METAX("metax", AcceleratorKind.METAX_GPU),
    /// Iluvatar.
    ILUVATAR("iluvatar", AcceleratorKind.ILUVATAR_GPU),
    /// Enflame.
    ENFLAME("enflame", AcceleratorKind.ENFLAME_GCU),
    /// Kunlunxin.
    KUNLUN("kunlun", AcceleratorKind.KUNLUN_XPU);

    private final String text;
    private final List<AcceleratorKind> kinds;

    Backend(String text, AcceleratorKind... kinds) {
        this.text = text;
        this.kinds = List.of(kinds);
    }

    /// The backend with that name; `-` and `_` are the same.
    public static Optional<Backend> find(String name) {
        String wanted = name.replace('-', '_');
        for (Backend backend : values()) {
            if (backend.text.equals(wanted)) {
                return Optional.of(backend);
            }
        }
        return Optional.empty();
    }

    /// The name in timings and logs, such as `intel_npu`.
    public String text() {
        return text;
    }

    /// The kinds of device it finds.
    public List<AcceleratorKind> kinds() {
        return kinds;
    }

    /// The family of the devices it finds; Apple's counts as GPU.
    public AcceleratorFamily family() {
        return kinds.getFirst().family();
    }
}
