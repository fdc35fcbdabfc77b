// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.detect.host.Host;
import java.util.Map;
import java.util.Optional;

/// The surroundings of a source that is opened. Immutable.
///
/// @param host this machine: its files, commands, environment variables and clock
/// @param log the log of detections
/// @param options the values of given options by name; blank for an option without a value
/// @since 0.2
public record FleetSourceContext(Host host, System.Logger log, Map<String, String> options) {
    /// Copies the options.
    public FleetSourceContext {
        options = Map.copyOf(options);
    }

    /// A context without options.
    public static FleetSourceContext of(Host host, System.Logger log) {
        return new FleetSourceContext(host, log, Map.of());
    }

    /// The value of an option, if it was given.
    public Optional<String> option(FleetSourceProvider.SourceOption option) {
        return Optional.ofNullable(options.get(option.name()));
    }

    /// The value of an environment variable; blank where it is not set.
    public String variable(String name) {
        return host.variables().getOrDefault(name, "");
    }
}
