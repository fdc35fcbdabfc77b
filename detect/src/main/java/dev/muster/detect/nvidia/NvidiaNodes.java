// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.List;

/// GPUs of which nothing is to be seen but their nodes, `/dev/nvidia0`: in a container that got those and no library.
final class NvidiaNodes {
    static final String PREFIX = "nvidia";
    /// The node that every program opens first.
    static final String CONTROL = "/dev/nvidiactl";
    /// The device tree's names of the board and the chip.
    static final String COMPATIBLE = "/proc/device-tree/compatible";
    /// The number of a Tegra chip.
    static final String FUSE = "/sys/module/tegra_fuse/parameters/tegra_chip_id";

    private static final String DOCKER = "/.dockerenv";
    private static final String PODMAN = "/run/.containerenv";
    private static final String KUBERNETES = "KUBERNETES_SERVICE_HOST";

    private static final String TEGRA = "nvidia,tegra";
    private static final int MAX_COMPATIBLE = 4096;

    private NvidiaNodes() {}

    /// Reports whether this is a system on a chip of NVIDIA's. Every start comes here (docs/decisions/0004).
    static boolean isTegra(ProbeContext context) {
        return (context.files().read(COMPATIBLE, MAX_COMPATIBLE) instanceof HostAnswer.Found(String text)
                        && text.contains(TEGRA))
                || context.files().exists(FUSE);
    }

    /// Reports whether programs cannot reach a GPU that the bus shows: `/dev` is known and has none of the driver's
    /// nodes.
    static boolean areMissing(ProbeContext context) {
        return !context.hasNode(PREFIX)
                && (!context.nodes().isEmpty()
                        || context.files().exists(DOCKER)
                        || context.files().exists(PODMAN)
                        || context.host().variables().containsKey(KUBERNETES));
    }

    static List<AcceleratorProfile> list(ProbeContext context) {
        List<AcceleratorProfile> gpus = new ArrayList<>();
        for (String name : context.nodes()) {
            // `nvidiactl`, `nvidia-uvm` and the like belong to all of them.
            Amount.numbered(name, PREFIX, NvidiaSmiLog.MAX_GPUS)
                    .ifPresent(number -> gpus.add(AcceleratorProfile.builder(
                                    AcceleratorType.of(AcceleratorKind.CUDA_GPU, number))
                            .with(DeviceFact.MEMORY, missing("its node does not report it"))
                            .with(DeviceFact.DEVICE_NAME, missing("its node does not report it"))
                            .with(DeviceFact.HEALTH, missing("the driver's libraries and tool are not installed here"))
                            .build()));
        }
        return gpus;
    }

    private static <T> Reading<T> missing(String detail) {
        return Reading.unknown(UnknownReason.NOT_INSTALLED, detail);
    }
}
