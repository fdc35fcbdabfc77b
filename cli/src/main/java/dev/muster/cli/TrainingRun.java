package dev.muster.cli;

import dev.muster.detect.Detector;
import java.util.Timer;
import java.util.TimerTask;

/// Runs what people run most, once each, while the JVM records its start-up cache. What is not run here starts some
/// 40 ms slower; but every class that is recorded is loaded at each start, so rare calls do not belong here.
final class TrainingRun {
    private static final long LIMIT_MILLIS = 60_000;

    private TrainingRun() {}

    /// Runs the calls; arguments are ignored, output is the caller's to drop.
    public static void main(String[] arguments) {
        limitTime();
        Detector.rehearse();
        Main.main(new String[] {"detect", "--json"});
        Main.main(new String[] {});
    }

    /// A probe that hangs must not hang the first start for ever.
    private static void limitTime() {
        TimerTask end = new TimerTask() {
            @Override
            public void run() {
                Runtime.getRuntime().halt(ExitCode.DEFECT);
            }
        };
        new Timer(true).schedule(end, LIMIT_MILLIS);
    }
}
