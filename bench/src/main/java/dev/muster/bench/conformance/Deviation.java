// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.conformance;

import static dev.muster.core.AcceleratorKind.AMD_XDNA_NPU;
import static dev.muster.core.AcceleratorKind.APPLE_NPU;
import static dev.muster.core.AcceleratorKind.AWS_NEURON;
import static dev.muster.core.AcceleratorKind.CEREBRAS_WSE;
import static dev.muster.core.AcceleratorKind.CPU;
import static dev.muster.core.AcceleratorKind.CUDA_GPU;
import static dev.muster.core.AcceleratorKind.GAUDI;
import static dev.muster.core.AcceleratorKind.GRAPHCORE_IPU;
import static dev.muster.core.AcceleratorKind.GROQ_LPU;
import static dev.muster.core.AcceleratorKind.INTEL_NPU;
import static dev.muster.core.AcceleratorKind.INTEL_ONE_API;
import static dev.muster.core.AcceleratorKind.MEDIATEK_APU;
import static dev.muster.core.AcceleratorKind.METAL_GPU;
import static dev.muster.core.AcceleratorKind.QUALCOMM_AI100;
import static dev.muster.core.AcceleratorKind.ROCM_GPU;
import static dev.muster.core.AcceleratorKind.SAMSUNG_NPU;
import static dev.muster.core.AcceleratorKind.VULKAN_GPU;
import static dev.muster.core.AcceleratorKind.WINDOWS_GPU;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorType;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.TpuVersion;
import dev.muster.core.unit.Bytes;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The differences from ai-hwaccel's devices that are right, by rule: each rule is a defect of ai-hwaccel that
/// docs/deviations.md lists under the same number.
final class Deviation {
    /// Memory that ai-hwaccel makes up, by kind and amount in MiB; nothing real told it.
    private static final List<Invented> INVENTED = List.of(
            new Invented("D-23", ROCM_GPU, Set.of(8192L)),
            new Invented("D-32", INTEL_NPU, Set.of(2048L)),
            new Invented("D-32", AMD_XDNA_NPU, Set.of(2048L)),
            new Invented("D-37", QUALCOMM_AI100, Set.of(32768L)),
            new Invented("D-37", CEREBRAS_WSE, Set.of(45056L)),
            new Invented("D-37", GRAPHCORE_IPU, Set.of(900L)),
            new Invented("D-37", GROQ_LPU, Set.of(230L)),
            new Invented("D-37", SAMSUNG_NPU, Set.of(2048L)),
            new Invented("D-37", MEDIATEK_APU, Set.of(2048L)),
            new Invented("D-38", METAL_GPU, Set.of(16384L)),
            new Invented("D-38", APPLE_NPU, Set.of(4096L, 6144L, 8192L)),
            new Invented("D-40", CPU, Set.of(16384L)));
    private static final long GRACE_EXTRA_GIB = 480;

    private Deviation() {}

    /// A constant that stands where a measurement should.
    private record Invented(String defect, AcceleratorKind kind, Set<Long> mebibytes) {
        boolean covers(SeenDevice theirs) {
            return theirs.kind() == kind && mebibytes.stream().map(Bytes::ofMib).anyMatch(theirs.memory()::equals);
        }
    }

    /// The defect because of which two views of one device differ; blank when no rule says so.
    static String ofPair(SeenDevice theirs, SeenDevice ours) {
        if (theirs.type() instanceof AcceleratorType.Tpu their && ours.type() instanceof AcceleratorType.Tpu our) {
            // Generations that it does not know become v5e.
            boolean unknown =
                    their.version() == TpuVersion.V5E && !our.version().isInReference();
            return unknown && their.chipCount() == our.chipCount() ? "D-33" : "";
        }
        if (theirs.type() instanceof AcceleratorType.Neuron their && ours.kind() == AWS_NEURON) {
            // Chip, cores and memory by one substring and two constants.
            Bytes constant = their.chip().memoryPerCore().saturatingTimes(their.coreCount());
            return theirs.memory().equals(constant) ? "D-34" : "";
        }
        if (theirs.type() instanceof AcceleratorType.Gaudi their && ours.type() instanceof AcceleratorType.Gaudi our) {
            // Generations that it does not know become Gaudi 2.
            boolean unknown = their.generation() == GaudiGeneration.GAUDI2
                    && !our.generation().isInReference();
            return unknown ? "D-35" : "";
        }
        if (theirs.kind() != ours.kind()) {
            boolean windows = theirs.kind() == VULKAN_GPU && ours.kind() == WINDOWS_GPU;
            boolean intel = theirs.kind() == VULKAN_GPU && ours.kind() == INTEL_ONE_API;
            return windows ? "D-39" : intel ? "D-30" : "";
        }
        if (theirs.kind() == VULKAN_GPU) {
            return ours.knowsMemory() && ours.memory().equals(theirs.memory()) ? "" : "D-27"; // no sizes in summaries
        }
        if (theirs.kind() == CUDA_GPU && ours.knowsMemory()) {
            return theirs.memory().equals(ours.memory().plus(Bytes.ofGib(GRACE_EXTRA_GIB))) ? "D-16" : "";
        }
        if (theirs.kind() == ROCM_GPU && ours.knowsMemory()) {
            return theirs.memory().compareTo(ours.memory()) > 0 ? "D-24" : ""; // host memory counted as the GPU's
        }
        if (theirs.kind() == INTEL_ONE_API && !ours.knowsMemory()) {
            return "D-36"; // another property stands where memory is expected
        }
        return ours.knowsMemory()
                ? ""
                : INVENTED.stream()
                        .filter(invented -> invented.covers(theirs))
                        .map(Invented::defect)
                        .findFirst()
                        .orElse("");
    }

    /// The defect because of which ai-hwaccel reports something other than a device; blank if no rule says so.
    static String ofTheirsAlone(SeenDevice theirs, List<SeenDevice> ours) {
        String name = theirs.name().toLowerCase(Locale.ROOT);
        if (theirs.kind() == VULKAN_GPU) {
            boolean software = name.contains("llvmpipe") || name.contains("swiftshader") || name.contains("lavapipe");
            if (software || name.equals("unknown vulkan device")) {
                return "D-28";
            }
            // The same device twice, or one that a better source names.
            return ours.stream().anyMatch(device -> device.kind() == WINDOWS_GPU || device.kind() == INTEL_ONE_API)
                    ? "D-29"
                    : "";
        }
        return switch (theirs.kind()) {
            // Any accel node counts as a TPU v5e of one chip.
            case TPU ->
                theirs.type().equals(new AcceleratorType.Tpu(theirs.type().deviceId(), 1, TpuVersion.V5E))
                        ? "D-33"
                        : "";
            case INTEL_ONE_API -> "D-36";
            case GRAPHCORE_IPU, GROQ_LPU, CEREBRAS_WSE -> "D-37"; // any node of that prefix
            default -> "";
        };
    }

    /// The defect because of which ai-hwaccel does not report a device; blank when no rule says so.
    static String ofOursAlone(SeenDevice ours, List<SeenDevice> theirs) {
        return switch (ours.kind()) {
            case VULKAN_GPU, WINDOWS_GPU ->
                theirs.stream().anyMatch(device -> device.kind() == CUDA_GPU || device.kind() == ROCM_GPU)
                        ? "D-29" // one CUDA device removes all that only Vulkan knows
                        : "";
            case CUDA_GPU -> ours.knowsMemory() ? "" : "D-12"; // a GPU of unknown memory is dropped
            case AWS_NEURON -> "D-34"; // real output is not understood
            case INTEL_NPU -> "D-32"; // looked for in the wrong place
            case INTEL_ONE_API -> "D-36";
            case GAUDI -> "D-35";
            default -> ours.type().kind().findReferenceTag().isEmpty() ? "unknown kind" : "";
        };
    }
}
