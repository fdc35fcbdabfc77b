// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// All that `nvidia-smi -q -x` says of a host.
///
/// @param root the document
/// @param source source of the text
record NvidiaSmiLog(NvidiaElement root, Provenance source) {
    /// The most GPUs that are believed.
    static final int MAX_GPUS = 1024;

    private static final String BACKEND = "cuda";

    /// The GPUs. The document's own count is not believed: it can differ.
    List<NvidiaElement> gpus() {
        List<NvidiaElement> all = root.all("gpu");
        return all.subList(0, Math.min(all.size(), MAX_GPUS));
    }

    Reading<String> driverVersion() {
        return firstKnown("driver_version", "kmd_version");
    }

    /// The newest CUDA that the driver serves.
    Reading<String> cudaVersion() {
        return firstKnown("cuda_version", "cuda_umd_version");
    }

    /// Branch 610 of the driver renames both versions; the old tag stays for a while.
    private Reading<String> firstKnown(String tag, String newTag) {
        Reading<String> value = new NvidiaValue(root.value(tag), source).text();
        return value.isKnown() || root.find(newTag).isEmpty()
                ? value
                : new NvidiaValue(root.value(newTag), source).text();
    }

    /// Reports whether a GPU is divided into MIG devices, whose names and ids this document lacks.
    boolean hasSlices() {
        return gpus().stream()
                .anyMatch(gpu -> gpu.find("mig_devices/mig_device").isPresent());
    }

    /// The devices, each GPU before its MIG devices. A GPU's number is its place in the document.
    ///
    /// @param listing the names of the MIG devices
    /// @param gaps told where the document contradicts itself
    List<AcceleratorProfile> profiles(NvidiaListing listing, Consumer<Gap> gaps) {
        List<NvidiaElement> gpus = gpus();
        Optional<Long> attached = Amount.count(root.value("attached_gpus"), Long.MAX_VALUE);
        if (attached.isPresent() && attached.get() != gpus.size()) {
            gaps.accept(new Gap.Conflict(
                    BACKEND,
                    source.source() + " reports " + attached.get() + " attached GPUs but describes " + gpus.size()));
        }
        List<AcceleratorProfile> profiles = new ArrayList<>();
        for (int i = 0; i < gpus.size(); i++) {
            NvidiaSmiGpu gpu = new NvidiaSmiGpu(this, gpus.get(i), i);
            AcceleratorProfile board = gpu.profile();
            profiles.add(board);
            profiles.addAll(new NvidiaMigDevices(gpu, board, listing).profiles());
        }
        return profiles;
    }
}
