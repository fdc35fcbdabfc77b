// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import dev.muster.detect.host.RecordedCommands.RecordedCommand;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Makes up a host: a few files, links, tools and variables, and nothing else. For tests and for trying things out.
/// Confined to one thread.
///
/// @since 0.1
public final class HostBuilder {
    private final RecordedTree.InMemory tree = new RecordedTree.InMemory();
    private final List<RecordedCommand> commands = new ArrayList<>();
    private final Map<String, String> variables = new HashMap<>();
    private OperatingSystem system = OperatingSystem.LINUX;
    private Instant now = Instant.EPOCH;

    /// Starts with an empty Linux machine in 1970.
    public HostBuilder() {}

    /// Says which system it runs.
    public HostBuilder system(OperatingSystem value) {
        system = value;
        return this;
    }

    /// Says what time it is there.
    public HostBuilder now(Instant value) {
        now = value;
        return this;
    }

    /// Adds a file; its folders come with it.
    public HostBuilder file(String path, String text) {
        return file(path, text.getBytes(StandardCharsets.UTF_8));
    }

    /// Adds a file; its folders come with it.
    public HostBuilder file(String path, byte[] content) {
        tree.addFile(path, content);
        return this;
    }

    /// Adds a folder.
    public HostBuilder folder(String path) {
        tree.addFolder(path);
        return this;
    }

    /// Adds a link.
    public HostBuilder link(String path, String target) {
        tree.addLink(path, target);
        return this;
    }

    /// Adds an environment variable.
    public HostBuilder variable(String name, String value) {
        variables.put(name, value);
        return this;
    }

    /// Adds an answer of a tool; the first that matches answers.
    ///
    /// @param program the tool's file name
    /// @param arguments its arguments; `*` as the last stands for any further ones
    /// @param took its run time
    public HostBuilder tool(
            String program, List<String> arguments, int exitCode, String output, String error, Duration took) {
        commands.add(new RecordedCommand(program, arguments, exitCode, output, error, took));
        return this;
    }

    /// The host.
    public Host build() {
        return new Host(
                system,
                "amd64",
                new RecordedFiles(tree),
                new RecordedCommands(commands),
                HostLibraries.NONE,
                Map.copyOf(variables),
                InstantSource.fixed(now));
    }
}
