// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static dev.muster.core.AcceleratorFamily.AI_ASIC;
import static dev.muster.core.AcceleratorFamily.GPU;
import static dev.muster.core.AcceleratorFamily.NPU;
import static dev.muster.core.PrecisionSupport.GENERAL;
import static dev.muster.core.PrecisionSupport.INFERENCE_ASIC;
import static dev.muster.core.PrecisionSupport.INTEGER_ONLY;
import static dev.muster.core.PrecisionSupport.IPU;
import static dev.muster.core.PrecisionSupport.TRAINING_ASIC;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Every kind of device Muster knows: one row each, from which names, documents and rankings follow. Which probe finds
/// it is said by the table of backends of `dev.muster.detect`.
///
/// Rank orders devices when the best one is asked for; the multipliers are speed relative to a CPU. For kinds that
/// ai-hwaccel 1.2.0 knows, the figures are its own (TPU, Gaudi and Neuron: per generation). For the others they are
/// Muster's, chosen beside the nearest known kind; a measured or data-sheet figure always outranks them in a plan.
///
/// @since 0.1
public enum AcceleratorKind {
    /// The host's processor.
    CPU("cpu", "CPU", "unknown", AcceleratorFamily.CPU, GENERAL, 10, 1, 1, "Cpu", false, 0),
    /// NVIDIA GPU driven by CUDA.
    CUDA_GPU("cuda", "CUDA GPU", "nvidia", GPU, GENERAL, 60, 20, 20, "CudaGpu", true, 1),
    /// AMD GPU driven by ROCm.
    ROCM_GPU("rocm", "ROCm GPU", "amd", GPU, GENERAL, 50, 15, 15, "RocmGpu", true, 2),
    /// Apple GPU driven by Metal.
    METAL_GPU("metal", "Metal GPU", "apple", GPU, GENERAL, 40, 12, 10, "MetalGpu", false, 3),
    /// Any GPU known through Vulkan alone.
    VULKAN_GPU("vulkan", "Vulkan GPU", "unknown", GPU, GENERAL, 35, 10, 6, "VulkanGpu", true, 4),
    /// Intel's neural processing unit.
    INTEL_NPU("intel-npu", "Intel NPU", "intel", NPU, INTEGER_ONLY, 20, 8, 0, "IntelNpu", false, 5),
    /// AMD's XDNA neural processing unit.
    AMD_XDNA_NPU("xdna", "AMD XDNA NPU", "amd", NPU, INTEGER_ONLY, 25, 7, 0, "AmdXdnaNpu", true, 6),
    /// Apple's Neural Engine.
    APPLE_NPU("ane", "Apple Neural Engine", "apple", NPU, INTEGER_ONLY, 30, 10, 0, "AppleNpu", false, 7),
    /// Google TPU; figures per [TpuVersion].
    TPU("tpu", "TPU", "google", AcceleratorFamily.TPU, PrecisionSupport.TPU, 0, 0, 0, "Tpu", true, 8),
    /// Intel Gaudi; figures per [GaudiGeneration].
    GAUDI("gaudi", "Intel Gaudi", "intel", AI_ASIC, TRAINING_ASIC, 0, 0, 0, "Gaudi", true, 9),
    /// AWS Inferentia and Trainium; figures per [NeuronChip].
    AWS_NEURON("neuron", "AWS Neuron", "aws", AI_ASIC, TRAINING_ASIC, 0, 0, 0, "AwsNeuron", true, 10),
    /// Qualcomm Cloud AI 100.
    QUALCOMM_AI100(
            "qaic", "Qualcomm Cloud AI 100", "qualcomm", AI_ASIC, INFERENCE_ASIC, 38, 14, 0, "QualcommAi100", true, 11),
    /// Intel GPU driven by oneAPI.
    INTEL_ONE_API("oneapi", "Intel oneAPI GPU", "intel", GPU, GENERAL, 42, 13, 10, "IntelOneApi", true, 12),
    /// Cerebras wafer-scale engine.
    CEREBRAS_WSE("cerebras", "Cerebras WSE", "cerebras", AI_ASIC, TRAINING_ASIC, 85, 50, 60, "CerebrasWse", true, 13),
    /// Graphcore IPU.
    GRAPHCORE_IPU("ipu", "Graphcore IPU", "graphcore", AI_ASIC, IPU, 48, 16, 18, "GraphcoreIpu", true, 14),
    /// Groq LPU.
    GROQ_LPU("groq", "Groq LPU", "groq", AI_ASIC, INFERENCE_ASIC, 55, 30, 0, "GroqLpu", true, 15),
    /// Samsung's neural processing unit.
    SAMSUNG_NPU("samsung-npu", "Samsung NPU", "samsung", NPU, INTEGER_ONLY, 18, 6, 0, "SamsungNpu", true, 16),
    /// MediaTek's AI processing unit.
    MEDIATEK_APU("mediatek-apu", "MediaTek APU", "mediatek", NPU, INTEGER_ONLY, 15, 5, 0, "MediaTekApu", true, 17),
    /// A GPU that Windows reports and no other source does; flat documents of ai-hwaccel only.
    WINDOWS_GPU("windows-gpu", "Windows GPU", "unknown", GPU, GENERAL, 34, 10, 6, null, false, 18),
    /// A GPU of the AGNOS system; flat documents of ai-hwaccel only.
    AGNOS_GPU("agnos-gpu", "AGNOS GPU", "unknown", GPU, GENERAL, 33, 8, 5, null, false, 19),
    /// Huawei Ascend.
    HUAWEI_ASCEND("ascend", "Huawei Ascend", "huawei", AI_ASIC, TRAINING_ASIC, 54, 18, 18),
    /// Tenstorrent Grayskull, Wormhole, Blackhole.
    TENSTORRENT("tenstorrent", "Tenstorrent", "tenstorrent", AI_ASIC, TRAINING_ASIC, 46, 14, 12),
    /// FuriosaAI Warboy and RNGD.
    FURIOSA("furiosa", "FuriosaAI", "furiosa", AI_ASIC, INFERENCE_ASIC, 44, 14, 0),
    /// Rebellions ATOM and REBEL.
    REBELLIONS("rebellions", "Rebellions", "rebellions", AI_ASIC, INFERENCE_ASIC, 43, 14, 0),
    /// Cambricon MLU.
    CAMBRICON_MLU("mlu", "Cambricon MLU", "cambricon", AI_ASIC, TRAINING_ASIC, 47, 15, 15),
    /// Moore Threads GPU driven by MUSA.
    MOORE_THREADS_GPU("musa", "Moore Threads GPU", "moore-threads", GPU, GENERAL, 41, 12, 10),
    /// Hygon DCU.
    HYGON_DCU("dcu", "Hygon DCU", "hygon", GPU, GENERAL, 45, 14, 14),
    /// MetaX GPU.
    METAX_GPU("metax", "MetaX GPU", "metax", GPU, GENERAL, 44, 14, 13),
    /// Iluvatar CoreX GPU.
    ILUVATAR_GPU("iluvatar", "Iluvatar GPU", "iluvatar", GPU, GENERAL, 43, 12, 12),
    /// Enflame GCU.
    ENFLAME_GCU("gcu", "Enflame GCU", "enflame", AI_ASIC, TRAINING_ASIC, 43, 13, 12),
    /// Kunlunxin XPU.
    KUNLUN_XPU("kunlun", "Kunlunxin XPU", "kunlunxin", AI_ASIC, TRAINING_ASIC, 43, 13, 12),
    /// A NEC Vector Engine.
    NEC_VE("ve", "NEC Vector Engine", "nec", AI_ASIC, TRAINING_ASIC, 41, 12, 11),
    /// A device that only a third-party probe knows; [AcceleratorType.Other] has its vendor and family. Nothing
    /// is known of its speed, so it ranks just above the processor.
    OTHER("other", "Other accelerator", "unknown", AI_ASIC, GENERAL, 11, 1, 0);

    private static final int NO_FLAT_ID = -1;

    private final String text;
    private final String display;
    private final String vendor;
    private final AcceleratorFamily family;
    private final PrecisionSupport precision;
    private final int rank;
    private final double throughputMultiplier;
    private final double trainingMultiplier;
    private final @Nullable String referenceTag;
    private final boolean numbered;
    private final int flatId;

    AcceleratorKind(
            String text,
            String display,
            String vendor,
            AcceleratorFamily family,
            PrecisionSupport precision,
            int rank,
            double throughputMultiplier,
            double trainingMultiplier) {
        this(
                text,
                display,
                vendor,
                family,
                precision,
                rank,
                throughputMultiplier,
                trainingMultiplier,
                null,
                true,
                NO_FLAT_ID);
    }

    AcceleratorKind(
            String text,
            String display,
            String vendor,
            AcceleratorFamily family,
            PrecisionSupport precision,
            int rank,
            double throughputMultiplier,
            double trainingMultiplier,
            @Nullable String referenceTag,
            boolean numbered,
            int flatId) {
        this.text = text;
        this.display = display;
        this.vendor = vendor;
        this.family = family;
        this.precision = precision;
        this.rank = rank;
        this.throughputMultiplier = throughputMultiplier;
        this.trainingMultiplier = trainingMultiplier;
        this.referenceTag = referenceTag;
        this.numbered = numbered;
        this.flatId = flatId;
    }

    /// The kind with that short name (`cuda`, `rocm`, `tpu` …).
    public static Optional<AcceleratorKind> find(String text) {
        for (AcceleratorKind kind : values()) {
            if (kind.text.equals(text)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /// The kind with that number in flat documents of ai-hwaccel (`accel_type_id`).
    public static Optional<AcceleratorKind> findByFlatId(long flatId) {
        for (AcceleratorKind kind : values()) {
            if (kind.flatId == flatId && kind.flatId != NO_FLAT_ID) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /// The short lower-case name used in device ids and on the command line, such as `cuda`.
    public String text() {
        return text;
    }

    /// The name for people, without a number.
    public String display() {
        return display;
    }

    /// The vendor in lower case, such as `nvidia`; `unknown` for kinds of several vendors.
    public String vendor() {
        return vendor;
    }

    /// The family the kind belongs to.
    public AcceleratorFamily family() {
        return family;
    }

    /// Reports whether a number is not enough to say what a device of this kind is.
    public boolean needsMore() {
        return this == TPU || this == GAUDI || this == AWS_NEURON || this == OTHER;
    }

    /// The levels the kind runs.
    public List<QuantizationLevel> supportedQuantizations() {
        return precision.supported();
    }

    /// The level the kind runs best.
    public QuantizationLevel preferredQuantization() {
        return precision.preferred();
    }

    /// The tag in tagged documents of ai-hwaccel, or nothing where it has none.
    public Optional<String> findReferenceTag() {
        return Optional.ofNullable(referenceTag);
    }

    /// Reports whether texts and tagged documents of ai-hwaccel carry the device's number.
    boolean isNumbered() {
        return numbered;
    }

    int rank() {
        return rank;
    }

    double throughputMultiplier() {
        return throughputMultiplier;
    }

    double trainingMultiplier() {
        return trainingMultiplier;
    }
}
