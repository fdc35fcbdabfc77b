// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.time.InstantSource;
import java.util.Map;

/// One machine as probes see it: this one, or a recorded one.
///
/// @param system its operating system
/// @param architecture its processor's architecture in Java's words, such as `amd64`
/// @param files its files
/// @param commands its tools
/// @param libraries its native libraries
/// @param variables the environment variables of the process that asks
/// @param clock the time of observations
/// @since 0.1
public record Host(
        OperatingSystem system,
        String architecture,
        HostFiles files,
        HostCommands commands,
        HostLibraries libraries,
        Map<String, String> variables,
        InstantSource clock) {
    /// This machine.
    ///
    /// @param system its operating system
    /// @param architecture its processor's architecture in Java's words
    /// @param variables the environment variables of this process
    /// @param clock the time of observations
    public static Host live(
            OperatingSystem system, String architecture, Map<String, String> variables, InstantSource clock) {
        return new Host(
                system, architecture, new LiveFiles(), new LiveCommands(), new LiveLibraries(), variables, clock);
    }

    /// The same host, of which no tool is run.
    public Host withoutCommands() {
        return new Host(system, architecture, files, HostCommands.NONE, libraries, variables, clock);
    }
}
