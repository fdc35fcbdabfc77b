// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes, or single tests by their unique ids, one after the other until one fails or the processor time is
 * spent: TestWorker LIST REPORT SECONDS.
 */
final class TestWorker {
    private static final int MOST_REASON = 160;

    private TestWorker() {}

    /** Ends a run with the first test that fails. */
    private static final class FirstFailure implements TestExecutionListener {
        final CancellationToken token = CancellationToken.create();
        private String line = "";

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (line.isEmpty() && result.getStatus() == TestExecutionResult.Status.FAILED) {
                String reason = test.getDisplayName() + " "
                        + result.getThrowable().map(Throwable::toString).orElse("");
                String flat = reason.replaceAll("\\s+", " ").strip();
                line = test.getUniqueId() + "\t" + flat.substring(0, Math.min(flat.length(), MOST_REASON));
                token.cancel();
            }
        }
    }

    public static void main(String[] args) throws IOException {
        List<String> tests = Files.readAllLines(Path.of(args[0]));
        Path report = Path.of(args[1]);
        double limit = Double.parseDouble(args[2]);
        Launcher launcher = LauncherFactory.create();
        for (String test : tests) {
            if (seconds() > limit) {
                write(report, "cut\t" + seconds());
                break;
            }
            write(report, "begin\t" + test);
            FirstFailure listener = new FirstFailure();
            DiscoverySelector selector = test.startsWith("[")
                    ? DiscoverySelectors.selectUniqueId(test)
                    : DiscoverySelectors.selectClass(test);
            launcher.execute(LauncherExecutionRequestBuilder.request(LauncherDiscoveryRequestBuilder.request()
                            .selectors(selector)
                            .build())
                    .listeners(listener)
                    .cancellationToken(listener.token)
                    .build());
            if (!listener.line.isEmpty()) {
                write(report, "fail\t" + seconds() + "\t" + listener.line);
                break;
            }
            write(report, "pass\t" + seconds());
        }
        // Threads that tests left behind must not keep it.
        Runtime.getRuntime().halt(0);
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
