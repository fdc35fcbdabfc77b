// SPDX-License-Identifier: Apache-2.0
import dev.muster.detect.host.Host;
import dev.muster.detect.host.OperatingSystem;
import dev.muster.fleet.FleetException;
import dev.muster.fleet.FleetListener;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.FleetSourceContext;
import dev.muster.fleet.HostReport;
import dev.muster.fleet.SourceReport;
import dev.muster.fleet.source.FleetSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;

/**
 * Reads or follows a source, for scripts/check-kubernetes and check-prometheus: FleetReading read|follow SOURCE SECONDS
 *
 * <p>A source is a kubeconfig file, or prometheus:ADDRESS.
 *
 * <p>Prints a line for each report, and a line for each host of small ones; after a reading also how long it took and how
 * much memory the process had at most. Follows until its input ends. Ends with 1 and one sentence where nothing could be
 * read.
 */
final class FleetReading {
    private static final int FEW = 20;
    private static final String PROMETHEUS = "prometheus:";

    private FleetReading() {}

    public static void main(String[] words) throws Exception {
        boolean isPrometheus = words[1].startsWith(PROMETHEUS);
        Map<String, String> variables = isPrometheus ? Map.of() : Map.of("KUBECONFIG", words[1]);
        Host host = Host.live(OperatingSystem.LINUX, "amd64", variables, InstantSource.system());
        FleetSource source = FleetSources.open(
                isPrometheus ? words[1] : "kubernetes",
                FleetSourceContext.of(host, System.getLogger(FleetReading.class.getName())));
        Duration limit = Duration.ofSeconds(Long.parseLong(words[2]));
        if (words[0].equals("follow")) {
            follow(source, limit);
            return;
        }
        long start = System.nanoTime();
        try {
            SourceReport report = source.read(limit);
            double seconds = (System.nanoTime() - start) / 1e9;
            print(report);
            System.out.printf("took %.2f s, at most %s%n", seconds, peak());
        } catch (FleetException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    private static void follow(FleetSource source, Duration limit) throws IOException {
        FleetListener listener = new FleetListener() {
            @Override
            public void changed(SourceReport report) {
                print(report);
            }

            @Override
            public void failed(FleetException reason) {
                System.out.println("failed " + reason.getMessage());
            }
        };
        try (FleetSource.Following following = source.follow(listener, limit, limit)) {
            while (System.in.read() >= 0) {
                // Only its end matters.
            }
        }
    }

    private static void print(SourceReport report) {
        long devices = report.hosts().stream()
                .mapToLong(host -> host.registry().profiles().size())
                .sum();
        long claims =
                report.hosts().stream().mapToLong(host -> host.claims().size()).sum();
        System.out.println("report hosts " + report.hosts().size() + " devices " + devices + " claims " + claims
                + " gaps " + report.gaps().size());
        if (report.hosts().size() <= FEW) {
            for (HostReport host : report.hosts()) {
                System.out.println("host " + host.name() + " " + host.state().text() + " "
                        + host.registry().profiles() + " " + host.claims() + " " + host.restrictions() + " "
                        + host.domains());
            }
        }
        report.gaps().forEach(gap -> System.out.println("gap " + gap.display()));
        System.out.flush();
    }

    private static String peak() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmHWM:")) {
                return line.substring(6).strip();
            }
        }
        return "?";
    }
}
