package dev.muster.cli;

import dev.muster.cli.render.Terminal;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.detect.DetectBuilder;
import dev.muster.detect.nvidia.NvmlRehearsal;
import java.time.InstantSource;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;

/// Runs what people run most, once each, while the JVM records its start-up cache. What is not run here starts some
/// 40 ms slower; but every class that is recorded is loaded at each start, so rare calls do not belong here, and what
/// only machines with NVIDIA's driver need goes into a cache of their own.
final class TrainingRun {
    private static final long LIMIT_MILLIS = 60_000;

    private TrainingRun() {}

    /// Runs the calls; output is the caller's to drop.
    ///
    /// @param arguments `-nvidia` for the cache of machines with that driver
    public static void main(String[] arguments) {
        limitTime();
        if (List.of(arguments).contains("-nvidia")) {
            showMadeUpGpu("--json");
            showMadeUpGpu("--color=always");
        }
        Main.main(new String[] {"detect", "--json"});
        Main.main(new String[] {});
    }

    /// The machine at hand may have no GPU.
    private static void showMadeUpGpu(String option) {
        Arguments arguments = Arguments.parse(new DetectCommand(true).spec(), List.of(option));
        System.Logger log = StderrLogger.of(arguments, System.err, InstantSource.system());
        AcceleratorRegistry registry = DetectBuilder.none()
                .with(new NvmlRehearsal())
                .build(NvmlRehearsal.host(), log)
                .detect();
        Terminal terminal = TerminalSettings.of(arguments, System.getenv(), true);
        System.out.print(DeviceOutput.of(arguments, terminal).render(registry));
        System.out.print(Summary.of(registry, terminal));
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
