// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.remote;

import dev.muster.detect.host.CommandLimits;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.HostCommands;
import dev.muster.detect.host.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Tools of a Linux host that is reached by ssh. Which there are is asked once, for all together: each question costs a
/// connection. Immutable and safe to share between threads.
final class SshCommands implements HostCommands {
    private static final List<String> USUAL = List.of("/usr/bin", "/usr/local/bin", "/bin", "/usr/sbin");
    private static final int TIMED_OUT = 124;

    /// Tools by which devices are found, each with the folders of its vendor.
    private static final List<Tool> TOOLS = List.of(
            Tool.of(
                    "nvidia-smi",
                    "/usr/lib/wsl/lib",
                    "/usr/local/nvidia/bin",
                    "/usr/local/cuda/bin",
                    "/opt/nvidia/bin"),
            Tool.of("amd-smi", "/opt/rocm/bin"),
            Tool.of("rocm-smi", "/opt/rocm/bin"),
            Tool.of("rocminfo", "/opt/rocm/bin"),
            Tool.of("hl-smi"),
            Tool.of("neuron-ls", "/opt/aws/neuron/bin"),
            Tool.of("xpu-smi"),
            Tool.of("tpu-info"),
            Tool.of("qaic-util", "/opt/qti-aic/tools"),
            Tool.of("gc-info", "/opt/poplar/bin"),
            Tool.of("cerebras_cli"),
            Tool.of("npu-smi"),
            Tool.of("hy-smi", "/opt/hyhal/bin", "/opt/dtk/bin"),
            Tool.of("cnmon"),
            Tool.of("ixsmi", "/usr/local/corex/bin"),
            Tool.of("mthreads-gmi"),
            Tool.of("furiosa-smi"),
            Tool.of("rbln-smi"),
            Tool.of("rbln-stat"),
            Tool.of("tt-smi"));

    private final SshConnection connection;
    private final Map<String, String> paths;

    private SshCommands(SshConnection connection, Map<String, String> paths) {
        this.connection = connection;
        this.paths = Map.copyOf(paths);
    }

    /// The result of looking for tools.
    sealed interface Search {}

    /// Some were found.
    record Found(SshCommands commands) implements Search {}

    /// No tools were found, or the search failed.
    ///
    /// @param listing the outcome of the search
    record None(CommandOutcome listing) implements Search {}

    /// Looks which tools the host has.
    static Search search(SshConnection connection, Duration limit) {
        List<String> words = new ArrayList<>(List.of("ls", "-d"));
        for (Tool tool : TOOLS) {
            for (List<String> folders : List.of(USUAL, tool.folders())) {
                folders.forEach(folder -> words.add(folder + "/" + tool.name()));
            }
        }
        CommandOutcome listing = connection.run(words, CommandLimits.of(limit));
        Map<String, String> paths = new HashMap<>();
        if (listing instanceof CommandOutcome.Completed done) {
            // In the order of the question, not of the answer: the usual folders come first.
            List<String> there = done.output().lines().map(String::strip).toList();
            words.stream()
                    .filter(there::contains)
                    .forEach(path -> paths.putIfAbsent(path.substring(path.lastIndexOf('/') + 1), path));
        }
        return paths.isEmpty() ? new None(listing) : new Found(new SshCommands(connection, paths));
    }

    @Override
    public Optional<String> findPath(Tool tool) {
        return Optional.ofNullable(paths.get(tool.name()));
    }

    @Override
    public CommandOutcome run(Tool tool, List<String> arguments, CommandLimits limits) {
        String path = paths.get(tool.name());
        if (path == null) {
            return new CommandOutcome.NotFound();
        }
        // A tool that hangs there is ended there, too: the end of a connection alone does not reach it.
        List<String> words = new ArrayList<>(
                List.of("timeout", String.valueOf(Math.max(1, limits.time().toSeconds())), "env", "LC_ALL=C", path));
        words.addAll(arguments);
        CommandOutcome outcome = connection.run(words, limits);
        if (!(outcome instanceof CommandOutcome.Completed done)) {
            return outcome;
        }
        return switch (done.exitCode()) {
            case TIMED_OUT -> new CommandOutcome.Expired(limits.time());
            case SshConnection.NO_CONNECTION -> new CommandOutcome.Failed(SshConnection.reason(done.error()));
            default -> done;
        };
    }
}
