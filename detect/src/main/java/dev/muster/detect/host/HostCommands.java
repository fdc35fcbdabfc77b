// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.util.List;
import java.util.Optional;

/// Runs tools of a host. Implementations are safe to share between threads.
///
/// @since 0.1
public interface HostCommands {
    /// No tool is installed, and nothing can be run: what a detection gets that may not start processes.
    HostCommands NONE = new HostCommands() {
        @Override
        public Optional<String> findPath(Tool tool) {
            return Optional.empty();
        }

        @Override
        public CommandOutcome run(Tool tool, List<String> arguments, CommandLimits limits) {
            return new CommandOutcome.NotFound();
        }
    };

    /// Returns the path of the tool, if it is installed; starts nothing.
    Optional<String> findPath(Tool tool);

    /// Returns the reason not to run an installed tool: another user could have changed it. Nothing if it may run;
    /// starts nothing.
    default Optional<String> findObjection(Tool tool) {
        return Optional.empty();
    }

    /// Runs a tool to its end or to its limit.
    CommandOutcome run(Tool tool, List<String> arguments, CommandLimits limits);
}
