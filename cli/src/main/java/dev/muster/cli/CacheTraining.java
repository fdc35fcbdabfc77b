// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.detect.DetectBuilder;
import dev.muster.detect.nvidia.NvmlRehearsal;
import dev.muster.report.host.Summary;
import dev.muster.report.text.Terminal;
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
    /// On machines that are made up: the one at hand may have no accelerator.
    private static final List<String> PLANNING = List.of(
            "plan llama-3.1-70b --concurrency 64 --synthetic h100-sxm:8",
            "plan llama-3.1-8b --synthetic l40s:2 --json",
            "plan llama-3.1-8b --synthetic l40s:2 --emit vllm",
            "fit llama-3.1-70b --synthetic h100-sxm:8",
            "train llama-3.1-8b --batch 64 --synthetic h100-sxm:8",
            "compare l40s:4 h100-sxm:1 qwen3-32b",
            "cost 70B --quant int8",
            "models",
            "topology --synthetic 2x[h100-sxm:8]",
            "topology");
    /// Nothing listens at port 9, which suffices to load the HTTP client.
    private static final List<String> FLEETS = List.of(
            "fleet list --source synthetic:20xh100-sxm:8",
            "fleet list --source synthetic:20xh100-sxm:8 --json",
            "fleet plan llama-3.1-70b --source synthetic:20xh100-sxm:8",
            "fleet list --source muster:http://127.0.0.1:9 --timeout 2s");
    /// A model file with one tensor, behind the length of its header.
    private static final String TENSORS = "{\"a\":{\"dtype\":\"F16\",\"shape\":[2,2],\"data_offsets\":[0,8]}}";

    private CacheTraining() {}

    /// Runs the calls; output is the caller's to drop.
    ///
    /// @param arguments kind of cache: nothing, `-plan`, `-top`, `-fleet` or `-live`, each alone or before
    ///     `-nvidia`
    public static void main(String[] arguments) throws IOException {
        limitTime();
        String kind = String.join("", arguments);
        if (kind.endsWith("-nvidia")) {
            showMadeUpGpu("--json");
            showMadeUpGpu("--color=always");
        }
        if (kind.startsWith("-plan")) {
            PLANNING.forEach(line -> Main.run(line.split(" ")));
            inspect();
        } else if (kind.startsWith("-fleet")) {
            FLEETS.forEach(line -> Main.run(line.split(" ")));
        } else if (kind.startsWith("-top")) {
            drawScreens();
        } else {
            Main.run(new String[] {"detect", "--json"});
            Main.run(new String[] {});
        }
    }

    /// The loop of `top` without a terminal, which a cache is never made at: without keys.
    private static void drawScreens() throws IOException {
        Main.run(new String[] {"top", "--once", "--color=always"});
        Path file = Files.createTempFile("muster", ".jsonl");
        try {
            Main.run(new String[] {"top", "--once", "--synthetic", "h100-sxm:8 nvswitch", "--record", file.toString()});
            TopRehearsal.run(file);
        } finally {
            Files.delete(file);
        }
    }

    private static void inspect() throws IOException {
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
            Main.run(new String[] {"inspect", file.toString()});
        } finally {
            Files.delete(file);
        }
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
