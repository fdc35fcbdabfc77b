package dev.muster.detect;

import dev.muster.detect.apple.AppleProbe;
import dev.muster.detect.gaudi.GaudiProbe;
import dev.muster.detect.intel.IntelGpuProbe;
import dev.muster.detect.intel.IntelNpuProbe;
import dev.muster.detect.vulkan.VulkanProbe;
import dev.muster.detect.windows.WindowsProbe;
import java.util.List;

/// Every probe. Backends that know a device well stand before those that only see it too.
final class Probes {
    static final List<Probe> ALL = List.of(
            new AppleProbe(),
            new IntelNpuProbe(),
            new GaudiProbe(),
            new IntelGpuProbe(),
            new VulkanProbe(),
            new WindowsProbe());

    private Probes() {}
}
