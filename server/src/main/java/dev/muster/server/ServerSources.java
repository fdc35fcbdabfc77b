// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.fleet.Fleet;
import dev.muster.monitor.AlertRule;
import dev.muster.monitor.Sampler;
import dev.muster.monitor.metric.MetricFamily;
import dev.muster.plan.Planner;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/// The sources of a server's documents.
///
/// @param sampler samples the host; its creator closes it, after the server
/// @param planner planner for a registry
/// @param alerts alert rules
/// @param fleet newest view of a fleet; empty without a source
/// @param metrics metrics of probes, read for each sample
/// @param clock current time
/// @param host load of the host as members of a document: `name`, `loadOneMinute`, `memoryTotalBytes` and others;
/// without members if the devices are not of this machine
/// @param process owner of a process by its number: `user`, `command` and others; without members if unknown
/// @since 0.2
public record ServerSources(
        Sampler sampler,
        Function<AcceleratorRegistry, Planner> planner,
        List<AlertRule> alerts,
        Optional<Supplier<Fleet>> fleet,
        Supplier<List<MetricFamily>> metrics,
        InstantSource clock,
        Supplier<JsonObject> host,
        LongFunction<JsonObject> process) {
    private static final JsonObject NOTHING = JsonObject.builder().build();

    /// Copies the list.
    public ServerSources {
        alerts = List.copyOf(alerts);
    }

    /// Creates sources that know nothing of the host but its devices.
    public ServerSources(
            Sampler sampler,
            Function<AcceleratorRegistry, Planner> planner,
            List<AlertRule> alerts,
            Optional<Supplier<Fleet>> fleet,
            Supplier<List<MetricFamily>> metrics,
            InstantSource clock) {
        this(sampler, planner, alerts, fleet, metrics, clock, () -> NOTHING, _ -> NOTHING);
    }
}
