// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs test classes one after the other until one fails or the processor time is spent: TestWorker LIST REPORT SECONDS. */
final class TestWorker {
    private static final int MOST_REASON = 160;

    private TestWorker() {}

    public static void main(String[] args) throws IOException {
        List<String> classes = Files.readAllLines(Path.of(args[0]));
        Path report = Path.of(args[1]);
        double limit = Double.parseDouble(args[2]);
        Launcher launcher = LauncherFactory.create();
        for (String name : classes) {
            if (seconds() > limit) {
                write(report, "cut " + seconds());
                break;
            }
            write(report, "begin " + name);
            SummaryGeneratingListener listener = new SummaryGeneratingListener();
            launcher.execute(
                    LauncherDiscoveryRequestBuilder.request()
                            .selectors(DiscoverySelectors.selectClass(name))
                            .build(),
                    listener);
            TestExecutionSummary summary = listener.getSummary();
            if (summary.getTotalFailureCount() > 0) {
                TestExecutionSummary.Failure first = summary.getFailures().getFirst();
                write(report, "fail " + seconds() + " " + reason(first));
                break;
            }
            write(report, "pass " + seconds());
        }
        // Threads that tests left behind must not keep it.
        Runtime.getRuntime().halt(0);
    }

    private static String reason(TestExecutionSummary.Failure failure) {
        String text = failure.getTestIdentifier().getDisplayName() + " " + failure.getException();
        String line = text.replaceAll("\\s+", " ").strip();
        return line.substring(0, Math.min(line.length(), MOST_REASON));
    }

    private static double seconds() {
        return ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toMillis()
                / 1000.0;
    }

    private static void write(Path report, String line) throws IOException {
        Files.writeString(report, line + "\n", StandardOpenOption.APPEND);
    }
}
