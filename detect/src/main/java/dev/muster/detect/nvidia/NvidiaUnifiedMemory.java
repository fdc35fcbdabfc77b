// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.text.MeminfoParser;
import java.util.ArrayList;
import java.util.List;

/// GPUs that have no memory of their own: GB10 and the chips of Jetson use the host's, and their driver answers `N/A`.
///
/// Every start on a machine with a GPU comes here: loops, no streams (docs/decisions/0004).
///
/// @param context the host
record NvidiaUnifiedMemory(ProbeContext context) {
    static final String SHARED = "shares the host's memory";

    private static final String MEMINFO = "/proc/meminfo";
    private static final int MAX_MEMINFO = 64 << 10;
    /// Words in the names of such GPUs.
    private static final List<String> NAMES = List.of("GB10", "Orin", "Thor", "Xavier", "Tegra");

    /// Returns the host's memory.
    static Reading<Bytes> ofHost(ProbeContext context) {
        return Reading.of(
                context.files().findText(MEMINFO, MAX_MEMINFO).flatMap(text -> MeminfoParser.find(text, "MemTotal")),
                context.fromFile(MEMINFO),
                MEMINFO + " does not exist");
    }

    /// The report, in which such GPUs say whose memory they use.
    ProbeReport complete(ProbeReport report) {
        List<AcceleratorProfile> profiles = new ArrayList<>();
        for (AcceleratorProfile gpu : report.profiles()) {
            profiles.add(
                    isSharing(gpu)
                            ? gpu.toBuilder()
                                    .with(DeviceFact.MEMORY, Reading.notSupported(SHARED))
                                    .with(DeviceFact.MEMORY_SHARED, ofHost(context))
                                    .build()
                            : gpu);
        }
        return new ProbeReport(profiles, report.gaps(), report.interconnects(), report.nodes(), report.links());
    }

    private static boolean isSharing(AcceleratorProfile gpu) {
        return !gpu.memory().isKnown()
                && gpu.partition().isEmpty()
                && gpu.deviceName().matches(name -> NAMES.stream().anyMatch(word -> isWordOf(word, name)));
    }

    /// `NVIDIA GB10` and `Orin (nvgpu)`, not `GB100`.
    private static boolean isWordOf(String word, String name) {
        return List.of(name.split("[ ()]+")).contains(word);
    }
}
