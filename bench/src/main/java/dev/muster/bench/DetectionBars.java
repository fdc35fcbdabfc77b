// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.detect.DetectBuilder;
import dev.muster.detect.Detector;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostBuilder;
import dev.muster.detect.host.RecordedHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/// The duration of a warm detection in this process: of this machine, which must have no accelerator, and of a recorded
/// machine with eight GPUs. Bars: 1.2 ms and 3 ms, as medians.
public final class DetectionBars {
    private static final int WARM_UP = 3000;
    private static final int ROUNDS = 2001;
    private static final double NANOS = 1e6;
    private static final int GPUS = 8;

    private DetectionBars() {}

    /// Measures both; exits with 1 if a bar is missed.
    public static void main(String[] arguments) throws IOException {
        System.Logger log = System.getLogger("dev.muster.bench");
        Detector here = Detector.ofThisHost();
        long children = ProcessHandle.current().children().count();
        boolean missed = false;
        AcceleratorRegistry found = here.detect();
        if (found.hasAccelerator()) {
            System.out.println("this machine has an accelerator; the bar is for one without");
        } else {
            missed |= report("this machine, no accelerator", measure(here::detect), 1.2);
        }
        System.out.println(
                "processes started: " + (ProcessHandle.current().children().count() - children));

        String xml = Files.readString(Path.of(arguments[0]));
        Host recorded = eightGpus(xml).build();
        Detector eight = DetectBuilder.all().build(recorded, log);
        System.out.println("devices: " + eight.detect().profiles().size());
        missed |= report("recorded machine, 8 GPUs", measure(eight::detect), 3);
        Path folder = Path.of(arguments[1]);
        if (Files.exists(folder)) {
            report(
                    "the same, opened from its archive",
                    measure(() -> DetectBuilder.all()
                            .build(RecordedHost.open(folder), log)
                            .detect()),
                    0);
        }
        if (missed) {
            System.exit(1);
        }
    }

    /// A machine whose nvidia-smi lists one recorded GPU eight times, each at an address of its own.
    static HostBuilder eightGpus(String xml) {
        int start = xml.indexOf("<gpu id=");
        int end = xml.indexOf("</gpu>") + "</gpu>".length();
        String gpu = xml.substring(start, end);
        StringBuilder all = new StringBuilder(xml.substring(0, start));
        StringBuilder matrix = new StringBuilder();
        HostBuilder host = new HostBuilder()
                .now(Instant.parse("2026-01-31T12:00:00Z"))
                .file("/proc/meminfo", "MemTotal: 2113407800 kB\nMemAvailable: 2000000000 kB\n");
        for (int i = 0; i < GPUS; i++) {
            String bus = Integer.toHexString(0x10 + i);
            all.append(gpu.replace("00000000:00:06.0", "00000000:" + bus.toUpperCase(Locale.ROOT) + ":00.0")
                    .replace("GPU-", "GPU-" + i));
            host.file(
                    "/sys/bus/pci/devices/0000:" + bus + ":00.0/uevent",
                    "DRIVER=nvidia\nPCI_CLASS=30200\nPCI_ID=10DE:2335\n");
            matrix.append("\tGPU").append(i);
        }
        matrix.append("\tCPU Affinity\tNUMA Affinity\n");
        for (int i = 0; i < GPUS; i++) {
            matrix.append("GPU").append(i);
            for (int j = 0; j < GPUS; j++) {
                matrix.append(i == j ? "\t X " : "\tNV18");
            }
            matrix.append("\t0-63\t0\n");
        }
        all.append(xml.substring(end));
        return host.tool("nvidia-smi", List.of("-q", "-x"), 0, all.toString(), "", Duration.ofMillis(100))
                .tool("nvidia-smi", List.of("topo", "-m"), 0, matrix.toString(), "", Duration.ofMillis(100));
    }

    private static double[] measure(Supplier<AcceleratorRegistry> detection) {
        int devices = 0;
        double[] millis = new double[ROUNDS];
        for (int i = -WARM_UP; i < ROUNDS; i++) {
            long start = System.nanoTime();
            AcceleratorRegistry registry = detection.get();
            long end = System.nanoTime();
            if (i >= 0) {
                millis[i] = (end - start) / NANOS;
            }
            devices += registry.profiles().size();
        }
        if (devices == 0) {
            throw new IllegalStateException("nothing was detected");
        }
        Arrays.sort(millis);
        return millis;
    }

    private static boolean report(String name, double[] sorted, double bar) {
        double median = sorted[sorted.length / 2];
        String verdict = bar == 0 ? "" : String.format(Locale.ROOT, "<= %.1f %s", bar, median <= bar ? "ok" : "MISSED");
        System.out.printf(Locale.ROOT, "%-36s min %.3f  median %.3f ms  %s%n", name, sorted[0], median, verdict);
        return bar > 0 && median > bar;
    }
}
