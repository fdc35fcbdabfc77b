// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.cli.device.DetectCommand;
import dev.muster.cli.device.DeviceOutput;
import dev.muster.cli.live.TopRehearsal;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.StartGroup;
import dev.muster.cli.session.StderrLogger;
import dev.muster.cli.session.TerminalSettings;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.detect.DetectBuilder;
import dev.muster.detect.nvidia.NvmlWarmUp;
import dev.muster.report.host.Summary;
import dev.muster.report.terminal.Terminal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;

/// Runs what people run most, once each, while the JVM records its start-up cache. What is not run here starts some
/// 40 ms slower; but every class that is recorded is loaded at each start, so rare calls do not belong here, and what
/// only commands that plan, or machines with NVIDIA's driver, need goes into caches of their own.
final class CacheTraining {
    private static final long LIMIT_MILLIS = 60_000;
    /// The end of the name of a cache for machines with NVIDIA's driver.
    private static final String NVIDIA = "-nvidia";
    /// Stands for a model file in a call.
    private static final String MODEL_FILE = "FILE";
    /// Stands for a recorded host in a call.
    private static final String HOST = "HOST";
    /// A model file with one tensor, behind the length of its header.
    private static final String TENSORS = "{\"a\":{\"dtype\":\"F16\",\"shape\":[2,2],\"data_offsets\":[0,8]}}";

    private CacheTraining() {}

    /// Runs the calls of a group; output is the caller's to drop.
    ///
    /// @param arguments the cache to make: nothing or the [group's][StartGroup#cache()], each alone or before
    ///     `-nvidia`
    public static void main(String[] arguments) throws IOException {
        limitTime();
        Main.findCalls();
        String kind = String.join("", arguments);
        boolean nvidia = kind.endsWith(NVIDIA);
        StartGroup group = StartGroup.ofCache(nvidia ? kind.substring(0, kind.length() - NVIDIA.length()) : kind);
        if (nvidia && group != StartGroup.VERSION) {
            showMadeUpGpu("--json");
            showMadeUpGpu("--color=always");
        }
        boolean onRecordedHost = group == StartGroup.RECORDED;
        Commands commands = new Commands("");
        for (CommandTitle title : commands.titles(onRecordedHost ? StartGroup.EXAMINE : group)) {
            for (String call : title.recorded()) {
                if (call.contains(HOST) == onRecordedHost) {
                    run(call);
                }
            }
        }
        if (group == StartGroup.TOP) {
            drawScreens();
        }
    }

    private static void run(String call) throws IOException {
        if (call.contains(MODEL_FILE)) {
            inspect(call);
        } else if (call.contains(HOST)) {
            try (RehearsalHost host = RehearsalHost.create()) {
                run(call.replace(HOST, host.folder().toString()));
            }
        } else {
            Main.run(call.isEmpty() ? new String[0] : call.split(" ", -1));
        }
    }

    /// The loop of `top` without a terminal, which a cache is never made at: without keys.
    private static void drawScreens() throws IOException {
        Path file = Files.createTempFile("muster", ".jsonl");
        try {
            Main.run(new String[] {"top", "--once", "--synthetic", "h100-sxm:8 nvswitch", "--record", file.toString()});
            TopRehearsal.run(file);
        } finally {
            Files.delete(file);
        }
    }

    private static void inspect(String call) throws IOException {
        byte[] header = TENSORS.getBytes(StandardCharsets.US_ASCII);
        Path file = Files.createTempFile("muster", ".safetensors");
        try {
            Files.write(
                    file,
                    ByteBuffer.allocate(Long.BYTES + header.length + 8)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(header.length)
                            .put(header)
                            .array());
            run(call.replace(MODEL_FILE, file.toString()));
        } finally {
            Files.delete(file);
        }
    }

    /// The machine at hand may have no GPU.
    private static void showMadeUpGpu(String option) {
        Arguments arguments = Arguments.parse(new DetectCommand(true).spec(), List.of(option));
        System.Logger log = StderrLogger.of(arguments, "", System.err, InstantSource.system());
        AcceleratorRegistry registry = DetectBuilder.none()
                .with(new NvmlWarmUp())
                .build(NvmlWarmUp.host(), log)
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
