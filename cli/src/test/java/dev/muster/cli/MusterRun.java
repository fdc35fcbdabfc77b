// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.cli.session.Pause;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostCommands;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.host.HostLibraries;
import dev.muster.detect.host.OperatingSystem;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Runs the whole program in this process, with everything it touches made up.
///
/// @param environment the environment variables
/// @param tty true if standard output is a terminal
/// @param files the host's files
/// @param stdin content of standard input
/// @param pause action between two samples of `watch`
record MusterRun(Map<String, String> environment, boolean tty, HostFiles files, String stdin, Pause pause) {
    /// Eight H100 on driver 550, in the reference's tagged form.
    static final String H100X8 = registry("h100x8__550.90.07__idle__synthetic.tagged.json");
    /// The same machine after a new driver, with one GPU missing.
    static final String H100X7 = registry("h100x8__570.124.06__one-gpu-missing__synthetic.tagged.json");
    /// A GPU and an NPU of unknown memory, in the reference's flat form.
    static final String FLAT = registry("rtx4090-and-npu__synthetic.flat.json");
    /// Two joined A100, a partition, a TPU that is not available and an NPU of unknown memory, in Muster's own form.
    static final String OWN = registry("a100x2-mig-tpu-npu__synthetic.own.json");

    /// Eight H100 at work, with four NVSwitches, eight network cards, a gap and a conflict, in Muster's own form.
    static final String HGX = registry("h100x8-nvswitch-nic8__synthetic.own.json");
    /// Eight MI300X, each joined with each.
    static final String MI300X = registry("mi300x8-xgmi__synthetic.own.json");
    /// A laptop with one GPU and an NPU of unknown memory.
    static final String LAPTOP = registry("laptop-rtx4070-npu__synthetic.own.json");

    /// Accelerators of three vendors, as lstopo of hwloc describes their machine.
    static final String HWLOC =
            "../detect/src/test/resources/fixtures/hwloc/lstopo/mixed-accelerators__2.9__synthetic.xml";

    /// A machine without an accelerator, with CXL and DAX memory and a cache before a NUMA node.
    static final String FURTHER_MEMORY = registry("cxl-dax-caches__synthetic.own.json");

    private static final Pause NO_PAUSE = time -> {
        throw new AssertionError("nothing should wait: " + time);
    };
    private static final Path FIXTURES = Path.of("src/test/resources/fixtures");
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-15T08:30:00Z"), ZoneOffset.UTC);

    private static String registry(String name) {
        return "src/test/resources/fixtures/registry/" + name;
    }

    /// Standard output is a pipe; the host has a processor and nothing else.
    static MusterRun inPipe() {
        return new MusterRun(Map.of("LANG", "en_US.UTF-8"), false, cpuOnly(), "", NO_PAUSE);
    }

    /// Standard output is a terminal that wide.
    static MusterRun onTerminal(int columns) {
        return new MusterRun(
                Map.of("LANG", "en_US.UTF-8", "COLUMNS", String.valueOf(columns), "NO_COLOR", "1"),
                true,
                cpuOnly(),
                "",
                NO_PAUSE);
    }

    private static HostFiles cpuOnly() {
        Map<String, HostAnswer<String>> outcomes = Map.of(
                "/proc/meminfo", new HostAnswer.Found<>(read(FIXTURES.resolve("host/meminfo__synthetic.txt"))),
                "/proc/cpuinfo", new HostAnswer.Found<>(read(FIXTURES.resolve("host/cpuinfo__synthetic.txt"))));
        return host(outcomes);
    }

    private static HostFiles host(Map<String, HostAnswer<String>> outcomes) {
        return new OutcomeFiles(outcomes);
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    MusterRun withEnvironment(String name, String value) {
        Map<String, String> changed = new HashMap<>(environment);
        changed.put(name, value);
        return new MusterRun(Map.copyOf(changed), tty, files, stdin, pause);
    }

    MusterRun withFiles(Map<String, HostAnswer<String>> outcomes) {
        return new MusterRun(environment, tty, host(outcomes), stdin, pause);
    }

    MusterRun withStdin(String text) {
        return new MusterRun(environment, tty, files, text, pause);
    }

    MusterRun withPause(Pause between) {
        return new MusterRun(environment, tty, files, stdin, between);
    }

    Outcome run(String... words) {
        return run(List.of(words));
    }

    Outcome run(List<String> words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Muster muster = new Muster(
                new Host(
                        OperatingSystem.LINUX,
                        "amd64",
                        files,
                        HostCommands.NONE,
                        HostLibraries.NONE,
                        environment,
                        CLOCK),
                tty,
                tty,
                "25.0.1+8",
                new ByteArrayInputStream(stdin.getBytes(StandardCharsets.UTF_8)),
                out,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                pause);
        int code = muster.run(words);
        return new Outcome(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /// A host of a few files; what is not in the map is missing.
    private record OutcomeFiles(Map<String, HostAnswer<String>> outcomes) implements HostFiles {
        @Override
        public HostAnswer<String> read(String path, int maxBytes) {
            return outcomes.getOrDefault(path, new HostAnswer.Missing<>());
        }

        @Override
        public HostAnswer<List<String>> list(String path) {
            return new HostAnswer.Missing<>();
        }

        @Override
        public boolean exists(String path) {
            return outcomes.containsKey(path);
        }

        @Override
        public Optional<String> findLink(String path) {
            return Optional.empty();
        }

        @Override
        public Optional<String> findRealPath(String path) {
            return exists(path) ? Optional.of(path) : Optional.empty();
        }
    }
}
