// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.detect.amd.RocmProbe;
import dev.muster.detect.amd.XdnaProbe;
import dev.muster.detect.apple.AppleProbe;
import dev.muster.detect.aws.NeuronProbe;
import dev.muster.detect.cerebras.CerebrasProbe;
import dev.muster.detect.gaudi.GaudiProbe;
import dev.muster.detect.google.TpuProbe;
import dev.muster.detect.graphcore.GraphcoreProbe;
import dev.muster.detect.intel.IntelGpuProbe;
import dev.muster.detect.intel.IntelNpuProbe;
import dev.muster.detect.nvidia.NvidiaProbe;
import dev.muster.detect.probe.Probe;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.qualcomm.QualcommProbe;
import dev.muster.detect.tool.DeviceSearch;
import dev.muster.detect.vendor.ToolFormat;
import dev.muster.detect.vendor.VendorProbe;
import dev.muster.detect.vendor.VendorRow;
import dev.muster.detect.vulkan.VulkanProbe;
import dev.muster.detect.windows.WindowsProbe;
import java.util.List;
import java.util.Optional;

/// The probes that Muster brings, each of which can be switched on and off: the one table of vendors. The first
/// seventeen are those of ai-hwaccel, in its order.
///
/// Ids, nodes and tools of vendors without a package of their own are from vendors' documents (2026-11): leads, not
/// captures.
///
/// @since 0.1
public enum Backend {
    /// NVIDIA GPUs.
    CUDA("cuda", new NvidiaProbe(), AcceleratorKind.CUDA_GPU),
    /// AMD GPUs.
    ROCM("rocm", new RocmProbe(), AcceleratorKind.ROCM_GPU),
    /// Apple GPUs and neural engines.
    APPLE("apple", new AppleProbe(), AcceleratorKind.METAL_GPU, AcceleratorKind.APPLE_NPU),
    /// GPUs that only Vulkan knows.
    VULKAN("vulkan", new VulkanProbe(), AcceleratorKind.VULKAN_GPU),
    /// Intel NPUs.
    INTEL_NPU("intel_npu", new IntelNpuProbe(), AcceleratorKind.INTEL_NPU),
    /// AMD XDNA NPUs.
    AMD_XDNA("amd_xdna", new XdnaProbe(), AcceleratorKind.AMD_XDNA_NPU),
    /// Google TPUs.
    TPU("tpu", new TpuProbe(), AcceleratorKind.TPU),
    /// Intel Gaudi.
    GAUDI("gaudi", new GaudiProbe(), AcceleratorKind.GAUDI),
    /// AWS Inferentia and Trainium.
    AWS_NEURON("aws_neuron", new NeuronProbe(), AcceleratorKind.AWS_NEURON),
    /// Intel GPUs.
    INTEL_ONE_API("intel_oneapi", new IntelGpuProbe(), AcceleratorKind.INTEL_ONE_API),
    /// Qualcomm Cloud AI 100.
    QUALCOMM("qualcomm", new QualcommProbe(), AcceleratorKind.QUALCOMM_AI100),
    /// Cerebras.
    CEREBRAS("cerebras", new CerebrasProbe(), AcceleratorKind.CEREBRAS_WSE),
    /// Graphcore.
    GRAPHCORE("graphcore", new GraphcoreProbe(), AcceleratorKind.GRAPHCORE_IPU),
    /// Groq: nodes such as `/dev/groqA0`, each a card.
    GROQ(VendorRow.of("groq", AcceleratorKind.GROQ_LPU)
            .onBus(0x1de0)
            .withAcceleratorsOnly()
            .withNodes("/dev", "groq")
            .withCapability("LPU")),
    /// Samsung NPUs.
    SAMSUNG_NPU(VendorRow.of("samsung_npu", AcceleratorKind.SAMSUNG_NPU)
            .withNodes("/dev", "samsung_npu")
            .asOneChip("/sys/class/misc/samsung_npu")
            .withCapability("Exynos AI")),
    /// MediaTek APUs.
    MEDIATEK_APU(VendorRow.of("mediatek_apu", AcceleratorKind.MEDIATEK_APU)
            .withNodes("/dev", "mtk_mdla")
            .asOneChip("/sys/class/misc/mtk_apu")
            .withCapability("MDLA")),
    /// GPUs that Windows names.
    WINDOWS("windows_wmi", new WindowsProbe(), AcceleratorKind.WINDOWS_GPU),
    /// Huawei Ascend. The vendor's other devices are network cards and displays.
    ASCEND(VendorRow.of("ascend", AcceleratorKind.HUAWEI_ASCEND)
            .onBus(0x19e5)
            .withNodes("/dev", "davinci")
            .asking(ToolFormat.NPU_SMI, "npu-smi")),
    /// Tenstorrent.
    TENSTORRENT(VendorRow.of("tenstorrent", AcceleratorKind.TENSTORRENT)
            .onBus(0x1e52)
            .withNodes("/dev/tenstorrent", "")
            .asking(ToolFormat.TT_SMI, "tt-smi")),
    /// FuriosaAI.
    FURIOSA(VendorRow.of("furiosa", AcceleratorKind.FURIOSA)
            .onBus(0x1ed2)
            .withNodes("/dev/rngd", "npu")
            .asking(ToolFormat.FURIOSA_SMI, "furiosa-smi")),
    /// Rebellions, whose tool was renamed.
    REBELLIONS(VendorRow.of("rebellions", AcceleratorKind.REBELLIONS)
            .onBus(0x1eff)
            .withNodes("/dev", "rbln")
            .asking(ToolFormat.RBLN, "rbln-smi", "rbln-stat")),
    /// Cambricon.
    CAMBRICON(VendorRow.of("cambricon", AcceleratorKind.CAMBRICON_MLU)
            .onBus(0xcabc)
            .withNodes("/dev", "cambricon_dev")
            .asking(ToolFormat.CNMON, "cnmon")),
    /// Moore Threads.
    MOORE_THREADS(VendorRow.of("moore_threads", AcceleratorKind.MOORE_THREADS_GPU)
            .onBus(0x1ed5)
            .withNodes("/dev", "mtgpu.")
            .asking(ToolFormat.MTHREADS_GMI, "mthreads-gmi")),
    /// Hygon, whose processors have the same vendor id as its DCUs, and whose older tool has the name of AMD's.
    HYGON(VendorRow.of("hygon", AcceleratorKind.HYGON_DCU)
            .onBus(0x1d94)
            .asking(ToolFormat.HY_SMI, "hy-smi")
            .withAmbiguousTool(ToolFormat.HY_SMI, "rocm-smi")),
    /// MetaX.
    METAX(VendorRow.of("metax", AcceleratorKind.METAX_GPU)
            .onBus(0x9999)
            .withNodes("/dev", "mxcd")
            .asking(ToolFormat.SMI_TABLE, "mx-smi")),
    /// Iluvatar.
    ILUVATAR(VendorRow.of("iluvatar", AcceleratorKind.ILUVATAR_GPU)
            .onBus(0x1e3e)
            .withNodes("/dev", "iluvatar")
            .asking(ToolFormat.QUERY_CSV, "ixsmi")),
    /// Enflame.
    ENFLAME(VendorRow.of("enflame", AcceleratorKind.ENFLAME_GCU)
            .onBus(0x1e36)
            .withNodes("/dev", "gcu")
            .asking(ToolFormat.SMI_TABLE, "efsmi")),
    /// Kunlunxin, whose tool has the name of Intel's.
    KUNLUN(VendorRow.of("kunlun", AcceleratorKind.KUNLUN_XPU)
            .onBus(0x1d22)
            .withAmbiguousTool(ToolFormat.XPU_SMI, "xpu-smi")),
    /// NEC Vector Engines; each has a second node, `/dev/ve0`.
    NEC_VE(VendorRow.of("nec_ve", AcceleratorKind.NEC_VE)
            .onBus(0x1bcf)
            .withAcceleratorsOnly()
            .withNodes("/dev", "veslot"));

    private final Probe probe;

    Backend(String name, DeviceSearch search, AcceleratorKind... kinds) {
        this.probe = new BuiltIn(name, List.of(kinds), search);
    }

    Backend(VendorRow row) {
        this(row.name(), new VendorProbe(row), row.kind());
    }

    /// The backend with that name; `-` and `_` are the same.
    public static Optional<Backend> find(String name) {
        String wanted = name.replace('-', '_');
        for (Backend backend : values()) {
            if (backend.text().equals(wanted)) {
                return Optional.of(backend);
            }
        }
        return Optional.empty();
    }

    /// The name in timings and logs, such as `intel_npu`.
    public String text() {
        return probe.name();
    }

    /// The kinds of device it finds.
    public List<AcceleratorKind> kinds() {
        return probe.kinds();
    }

    /// The family of the devices it finds; Apple's counts as GPU.
    public AcceleratorFamily family() {
        return kinds().getFirst().family();
    }

    Probe probe() {
        return probe;
    }

    /// Reports whether it sees devices of all vendors, but few facts. Such backends run last, to match known devices.
    boolean isFallback() {
        return this == VULKAN || this == WINDOWS;
    }

    private record BuiltIn(String name, List<AcceleratorKind> kinds, DeviceSearch search) implements Probe {
        @Override
        public boolean hasSigns(ProbeContext context) {
            return search.hasSigns(context);
        }

        @Override
        public ProbeReport probe(ProbeContext context) {
            return search.probe(context);
        }
    }
}
