// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.detect.probe.ProbeContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The GPU of a Jetson, or of another system on a chip of NVIDIA's: it is on no PCI bus, and before JetPack 6
/// there is no `nvidia-smi` for it. Built from documents of the vendor and of users; not verified on hardware.
///
/// @param number the chip's number, as the kernel's fuses tell it
/// @param word the chip in a device tree
/// @param chip its name
/// @param architecture of its GPU
/// @param capability the compute capability of its GPU
record NvidiaTegra(String number, String word, String chip, String architecture, String capability) {
    private static final String MODEL = "/proc/device-tree/model";
    private static final List<String> FUSES = List.of(NvidiaNodes.FUSE, "/sys/devices/soc0/soc_id");
    private static final List<String> GPUS = List.of(
            "/sys/devices/gpu.0",
            "/sys/devices/platform/gpu.0",
            "/sys/devices/platform/17000000.gpu",
            "/sys/devices/platform/bus@0/17000000.gpu",
            "/dev/nvhost-gpu",
            "/dev/nvgpu");
    private static final int MAX_FILE = 4096;
    /// Compute capabilities are those of NVIDIA's list of CUDA GPUs (2026-11).
    private static final List<NvidiaTegra> CHIPS = List.of(
            new NvidiaTegra("33", "tegra210", "Tegra X1", "Maxwell", "5.3"),
            new NvidiaTegra("24", "tegra186", "Tegra X2", "Pascal", "6.2"),
            new NvidiaTegra("25", "tegra194", "Xavier", "Volta", "7.2"),
            new NvidiaTegra("35", "tegra234", "Orin", "Ampere", "8.7"),
            new NvidiaTegra("38", "tegra264", "Thor", "Blackwell", "11.0"));

    /// The GPU.
    ///
    /// @param gaps told of files that could not be read
    static Optional<AcceleratorProfile> find(ProbeContext context, Consumer<Gap> gaps) {
        if (!NvidiaNodes.isTegra(context)) {
            return Optional.empty();
        }
        for (String fuse : FUSES) {
            Optional<NvidiaTegra> chip = findText(context, fuse).flatMap(NvidiaTegra::findByNumber);
            if (chip.isPresent()) {
                return Optional.of(chip.get().profile(context, context.fromFile(fuse)));
            }
        }
        Optional<NvidiaTegra> chip = findText(context, NvidiaNodes.COMPATIBLE).flatMap(NvidiaTegra::findByWord);
        if (chip.isEmpty()) {
            gaps.accept(
                    new Gap.Unparsable(NvidiaProbe.NAME, NvidiaNodes.COMPATIBLE + " names a Tegra that is not known"));
        }
        return chip.map(known -> known.profile(context, context.fromFile(NvidiaNodes.COMPATIBLE)));
    }

    private static Optional<String> findText(ProbeContext context, String path) {
        return context.files()
                .findText(path, MAX_FILE)
                .map(text -> text.replace('\0', ' ').strip());
    }

    static Optional<NvidiaTegra> findByNumber(String number) {
        return CHIPS.stream().filter(chip -> chip.number.equals(number)).findFirst();
    }

    static Optional<NvidiaTegra> findByWord(String compatible) {
        return CHIPS.stream().filter(chip -> compatible.contains(chip.word)).findFirst();
    }

    private AcceleratorProfile profile(ProbeContext context, Provenance source) {
        Provenance table = ProbeContext.fromCatalogue("chips of Jetson");
        String board = findText(context, MODEL).map(model -> " (" + model + ")").orElse("");
        AcceleratorProfile.ProfileBuilder gpu = AcceleratorProfile.builder(
                        AcceleratorType.of(AcceleratorKind.CUDA_GPU, 0))
                .with(DeviceFact.DEVICE_NAME, Reading.known("NVIDIA " + chip + board, source))
                .with(DeviceFact.ARCHITECTURE, Reading.known(architecture, table))
                .with(DeviceFact.COMPUTE_CAPABILITY, Reading.known(capability, table))
                .with(DeviceFact.MEMORY, Reading.notSupported(NvidiaUnifiedMemory.SHARED))
                .with(DeviceFact.MEMORY_SHARED, NvidiaUnifiedMemory.ofHost(context));
        if (GPUS.stream().noneMatch(context.files()::exists)) {
            gpu.available(false).with(DeviceFact.HEALTH, Reading.known("no driver is bound", source));
        }
        return gpu.build();
    }
}
