package dev.muster.cli;

import dev.muster.core.FixedText;
import dev.muster.detect.Detection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// How long each part of a detection took, the slowest first. Parts run beside each other, so the total is no sum.
final class TimingTable {
    private static final int NAME_WIDTH = 16;
    private static final int TIME_WIDTH = 8;
    private static final double NANOS_PER_MILLI = 1e6;

    private TimingTable() {}

    static String of(Detection detection) {
        List<Detection.Timing> timings = new ArrayList<>(detection.timings());
        timings.sort(Comparator.comparing(Detection.Timing::took).reversed());
        StringBuilder out = new StringBuilder("\nBackend timing:\n");
        for (Detection.Timing timing : timings) {
            line(out, timing.name(), timing.took());
        }
        line(out, "TOTAL (wall)", detection.total());
        return out.toString();
    }

    private static void line(StringBuilder out, String name, Duration took) {
        String millis = FixedText.of(took.toNanos() / NANOS_PER_MILLI, 1);
        out.append("  ").append(name).repeat(" ", Math.max(0, NAME_WIDTH - name.length()));
        out.append(' ').repeat(" ", Math.max(0, TIME_WIDTH - millis.length()));
        out.append(millis).append("ms\n");
    }
}
