// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.JsonValue;
import dev.muster.fleet.Fleet;
import dev.muster.monitor.Sampler;
import dev.muster.monitor.metric.MetricFamily;
import dev.muster.plan.Planner;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// The sources of a server's documents. What a source gives is what the command of the same name prints.
///
/// @param sampler samples the host; its creator closes it, after the server
/// @param topology topology of a registry, as a document
/// @param picture topology as SVG; empty if it cannot be drawn
/// @param planner planner for a registry
/// @param alerts alert rules that fire for a registry, as a document
/// @param fleet newest view of a fleet; empty without a source
/// @param metrics metrics of probes, read for each sample
/// @param clock current time
/// @since 0.2
public record ServerSources(
        Sampler sampler,
        Function<AcceleratorRegistry, JsonValue> topology,
        Function<AcceleratorRegistry, Optional<String>> picture,
        Function<AcceleratorRegistry, Planner> planner,
        Function<AcceleratorRegistry, JsonValue> alerts,
        Optional<Supplier<Fleet>> fleet,
        Supplier<List<MetricFamily>> metrics,
        InstantSource clock) {}
